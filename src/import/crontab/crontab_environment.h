#pragma once

#include "import/command.h"
#include "import/findings.h"
#include "import/report.h"

#include <optional>
#include <string>
#include <string_view>

namespace belfry::importer {

struct CronVariable {
  std::string name;
  std::string value;
};

// `NAME = value`, both without quotes; nullopt when the line is something else.
std::optional<CronVariable> parse_variable(std::string_view line);

// The variables of a crontab down to some line, and what they do to the jobs below it.
class CronEnvironment {
 public:
  // Takes one in; the findings are about its line, and kImported means that it is in force.
  Findings set(const CronVariable& variable, bool anacron);

  const Variables& variables() const { return variables_; }  // for the command
  const std::string& home() const { return home_; }
  const std::string& shell() const { return shell_; }
  const std::string& cron_tz() const { return cron_tz_; }
  int start_hour() const { return start_hour_; }

  // Jitter and labels.
  void apply(ImportedJob& job, Findings& findings) const;

 private:
  Variables variables_;
  std::string home_;
  std::string shell_;
  std::string cron_tz_;
  std::string mail_to_;
  int random_delay_minutes_ = 0;
  int start_hour_ = 0;
};

}  // namespace belfry::importer
