#pragma once

#include <set>
#include <string>
#include <string_view>

namespace belfry::importer {

// Only lower-case letters, digits, `.`, `_` and `-`; each stretch of anything else becomes one `-`.
std::string slug(std::string_view text);

// What a person would call a job that runs this shell command: the name of the program or script,
// past `cd`, tests, variables, wrappers like `nice` and interpreters. "job" when nothing is left.
std::string name_from_command(std::string_view command);

// Gives each job of an import its own name. A second job of the same name gets a suffix made from
// what it does, so that moving or inserting lines elsewhere does not rename it.
class UniqueNames {
 public:
  std::string take(std::string_view wanted, std::string_view what_it_does);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace belfry::importer
