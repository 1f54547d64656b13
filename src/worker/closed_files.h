#pragma once

#include "base/result.h"
#include "worker/descriptor.h"

#include <string>
#include <vector>

// Keeps commands that run as our own user from files of ours, which they otherwise could open. It
// takes no root: Linux has Landlock for it, since 5.19 in the form that is used here.
//
// Landlock knows only what is allowed. So all is allowed that lies beside the closed paths: each
// entry of `/`, and of the folders on the way to them. In those folders themselves a command can
// make no files, nor open what appears there while it runs. So it is for paths that lie where our
// user may not write anyway.
namespace belfry::worker {

// A descriptor that closes these paths, and what is in them, to the process that hands it to
// enter_closure(), and to all that it starts. Such a process can trace none that is outside, and
// since Linux 6.12 signal none. kUnavailable says why it cannot be done here.
Result<Descriptor> close_files(const std::vector<std::string>& paths);

// A plain system call, for use between fork and exec. It takes PR_SET_NO_NEW_PRIVS. False: errno
// says why.
bool enter_closure(int closure);

}  // namespace belfry::worker
