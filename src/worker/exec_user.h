#pragma once

#include "base/result.h"

#include <sys/types.h>

#include <string>

namespace belfry::worker {

// Who commands run as. By default: who we are.
struct ExecUser {
  std::string name;
  std::string home = "/";
  std::string shell = "/bin/sh";
  uid_t uid = 0;
  gid_t gid = 0;
  bool is_other = false;  // not who we are: to be changed to, which takes root
};

// The user with this name. Without a name: `nobody` if we are root, otherwise who we are; commands
// run as root only where that is said. kInvalid: there is no such user, or we may not become it.
Result<ExecUser> find_exec_user(const std::string& name);

}  // namespace belfry::worker
