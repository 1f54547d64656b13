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
  std::optional<std::string> input;  // what the command reads: the part behind the first bare `%`
};

// A `%` ends the command and begins its input, further ones are line ends, `\%` is a percent sign.
CronCommand split_percent(std::string_view line);

// `flock -n FILE COMMAND`: the command alone. True if it was such a line; `command` is changed then
// and the job should forbid overlaps.
bool take_off_flock(std::string& command, Findings& findings);

// The words an EXEC target runs.
Words words_for(const CronCommand& command, std::string_view shell);

}  // namespace belfry::importer
