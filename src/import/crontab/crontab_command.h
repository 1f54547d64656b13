#pragma once

#include "import/command.h"
#include "import/findings.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::importer {

// The command part of a crontab line.
struct CronCommand {
  std::string text;                  // for the shell
  std::optional<std::string> input;  // its standard input: what follows the first bare `%`
};

// The first `%` ends the command and begins its input, later ones are line ends, `\%` is a
// percent sign.
CronCommand split_percent(std::string_view line);

// `flock -n FILE COMMAND`: leaves the command alone. Returns true if the line had this form; then
// `command` was changed and the job should forbid overlaps.
bool take_off_flock(std::string& command, Findings& findings);

// The words an EXEC target runs.
Words words_for(const CronCommand& command, std::string_view shell);

}  // namespace belfry::importer
