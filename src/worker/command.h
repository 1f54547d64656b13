#pragma once

#include "base/result.h"
#include "base/time.h"
#include "worker/context.h"
#include "worker/exec_user.h"
#include "worker/run_group.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace belfry::worker {

// What holds for all commands of a worker. By default they may what we may.
struct Confinement {
  ExecUser user;
  ExecLimits limits;
  std::optional<GroupHome> groups;  // each command gets a group of its own in there
  std::vector<std::string> closed;  // paths that they may not open (closed_files.h)
};

struct Command {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // "NAME=value"
  std::string input;                     // what it reads on its standard input
  Duration grace = std::chrono::seconds(10);
  Confinement confinement;
};

// How a command ended.
struct CommandEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool stopped = false;  // because the run was cancelled or its time was up
};

// Runs a command under a guard until it has ended and nothing of it is left; its output goes to the
// run's log as it comes. The command is stopped (TERM, then KILL after the grace) when the run is
// cancelled, and early enough to be gone by its deadline: a fifth of a short timeout before it, or
// a second and the grace before a long one ends. kInvalid: there is no such program.
Result<CommandEnd> run_command(const Command& command, Context& context);

}  // namespace belfry::worker
