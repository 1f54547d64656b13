#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace belfry::cli {

// What may stand in place of the last of `words`: commands, flags of the command, and whether the
// name of a job belongs there.
struct Completions {
  std::vector<std::string> words;
  bool wants_job = false;
};
Completions completions_for(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace belfry::cli
