#pragma once

#include "base/result.h"
#include "import/command.h"

#include <string>
#include <string_view>
#include <vector>

// ExecStart= and the like, as systemd.service(5) and systemd.unit(5) read them.
namespace belfry::importer {

// Words by systemd's quoting: '...' and "..." anywhere, C escapes outside of single quotes too.
Result<Words> split_quoted(std::string_view text);

struct ExecCommand {
  Words words;
  bool failure_is_fine = false;  // `-`
  bool expands = true;           // no `:`
  bool privileged = false;       // `+`, `!`, `!!`
};

// The commands of one line; several are separated by a `;` as a word of its own.
Result<std::vector<ExecCommand>> parse_exec(std::string_view text);

// `%n`, `%i`, ... with the values that a system unit of this name has; what only a host knows
// is refused.
Result<std::string> expand_specifiers(std::string_view text, std::string_view unit_name);

// `${NAME}` in a word, `$NAME` as a word of its own, which is split at blanks. A variable that is
// not among `variables` is refused.
Result<Words> expand_variables(const Words& words, const Variables& variables);

}  // namespace belfry::importer
