#pragma once

#include "base/result.h"
#include "base/time.h"
#include "worker/exec_user.h"
#include "worker/run_group.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace belfry::worker {

// A program to run, with everything it gets.
struct Program {
  std::vector<std::string> arguments;    // the first is the program, looked up in PATH
  std::vector<std::string> environment;  // "NAME=value"
  int input = -1;                        // a descriptor: what it reads
  int output = -1;                       // a descriptor: where both its outputs go
  Duration grace{};                      // between TERM and KILL
  ExecUser user;                         // runs as this one, in its home or in `/`
  ExecLimits limits;                     // for each process, where no group limits all
  int group = -1;                        // a descriptor: the folder of its RunGroup, if it has one
  std::string group_name;
  int closure = -1;  // a descriptor: what it may not open (closed_files.h)
};

// What a guard reports: one message of 8 bytes each time.
struct GuardMessage {
  enum Kind : std::int32_t {
    kNotStarted,   // value: errno
    kNotConfined,  // value: errno; the user or a limit could not be set, so it was not started
    kEnded,        // value: the status of wait(2); nothing of the program is left
  };
  std::int32_t kind = 0;
  std::int32_t value = 0;
};

// The process between a worker and a program it runs. It makes sure that nothing of the program
// outlives it, whatever the program does (fork, leave its group, become a daemon), and that the
// program does not outlive the worker, whatever happens to the worker (kill -9).
//
// All descendants of the program end up as the guard's children (it is their subreaper), so it can
// find them. The worker and the guard share a socket. A byte on it means: end the program, TERM
// first and KILL after the grace. Its end (the worker is gone) means KILL at once. When the program
// itself has ended, the guard ends what is left of it in the same way.
//
// A program of another user cannot signal its guard. One of our own user can: then its group, or
// where there is none a second process behind the guard, ends what the guard no longer can.
//
// The program gets nothing of ours: no descriptor, no terminal, no group but its user's first, no
// way to more rights (setuid programs give none), no core dumps, no file that its closure closes.
struct ProcessGuard {
  pid_t pid = -1;
  int socket = -1;  // reads GuardMessages; to be closed by the caller, who also waits for pid
};
Result<ProcessGuard> start_guard(const Program& program);

}  // namespace belfry::worker
