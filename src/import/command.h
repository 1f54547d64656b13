#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Commands as an EXEC target takes them: a list of words, without a shell of its own.
namespace belfry::importer {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;  // in the order they were set

// Sets a variable, or replaces it where it stands.
void set_variable(Variables& variables, std::string_view name, std::string_view value);

// `command` with an environment and a folder, both optional, through env(1): an EXEC target has
// neither of its own.
Words with_environment(const Variables& variables, std::string_view folder, Words command);

// A word as a shell reads it back: bare if it is plain, else in single quotes.
std::string shell_quoted(std::string_view word);
std::string shell_line(const Words& words);

}  // namespace belfry::importer
