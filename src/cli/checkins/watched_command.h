#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace belfry::cli {

struct CommandEnd {
  int code = 0;        // as a shell would say it: 127 not found, 128 + n killed by signal n
  std::string output;  // its last lines, both streams as they came
};

// Runs a command as if we were not there: stdin is its own, stdout and stderr go on to ours as they
// come, and signals that are to end us go on to it. What it leaves running behind it is not waited
// for. Keeps at most `kept` bytes of the output.
CommandEnd run_watched(const std::vector<std::string>& words, std::size_t kept);

}  // namespace belfry::cli
