#pragma once

#include "base/result.h"
#include "base/time.h"

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace belfry::worker {

// A program to run, with all it gets.
struct Program {
  std::vector<std::string> arguments;    // the first is the program, looked up in PATH
  std::vector<std::string> environment;  // "NAME=value"
  int input = -1;                        // what it reads; a descriptor
  int output = -1;                       // what it writes to, both its outputs; a descriptor
  Duration grace{};                      // between TERM and KILL
};

// What a guard tells; 8 bytes, one message each.
struct GuardMessage {
  enum Kind : std::int32_t {
    kNotStarted,  // value: errno
    kEnded,       // value: the status of wait(2); nothing of the program is left
  };
  std::int32_t kind = 0;
  std::int32_t value = 0;
};

// The process between a worker and a program it runs: it sees to it that nothing of the program
// outlives it, whatever the program does (fork, leave its group, become a daemon), and that the
// program does not outlive the worker, whatever happens to that (kill -9).
//
// All descendants of the program end up as the guard's children (it is their subreaper), so it can
// find them. The worker and the guard share a socket. A byte on it means: end the program, TERM
// first and KILL after the grace. Its end (the worker is gone) means KILL at once. When the program
// itself has ended, what is left of it is ended likewise.
struct ProcessGuard {
  pid_t pid = -1;
  int socket = -1;  // reads GuardMessages; to be closed by the caller, who also waits for pid
};
Result<ProcessGuard> start_guard(const Program& program);

}  // namespace belfry::worker
