#pragma once

#include "cli/frame/command.h"

#include <string>
#include <vector>

namespace belfry::cli {

// What may stand in place of the last of `words`: commands, flags, words of an enumeration, and
// what must be asked for elsewhere.
struct Completions {
  std::vector<std::string> words;
  Proposal proposal = Proposal::kNothing;
};
Completions completions_for(const Command& root, const std::vector<std::string>& words);

}  // namespace belfry::cli
