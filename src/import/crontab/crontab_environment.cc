#include "import/crontab/crontab_environment.h"

#include "base/text/duration_text.h"
#include "import/text.h"

#include <chrono>

namespace belfry::importer {
namespace {

bool is_quote(char c) {
  return c == '\'' || c == '"';
}

// Takes a name off the front: a quoted one, or everything up to a blank or `=`.
std::string_view take_name(std::string_view& text) {
  if (!text.empty() && is_quote(text.front())) {
    const std::size_t close = text.find(text.front(), 1);
    if (close == std::string_view::npos) return {};
    const std::string_view name = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    return name;
  }
  std::size_t end = 0;
  while (end < text.size() && !is_space(text[end]) && text[end] != '=') ++end;
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  return name;
}

}  // namespace

std::optional<CronVariable> parse_variable(std::string_view line) {
  std::string_view rest = line;
  const std::string_view name = take_name(rest);
  rest = trimmed(rest);
  if (name.empty() || !rest.starts_with('=')) return std::nullopt;
  std::string_view value = trimmed(rest.substr(1));
  if (value.size() >= 2 && is_quote(value.front()) && value.back() == value.front()) {
    value = value.substr(1, value.size() - 2);
  }
  return CronVariable{std::string(name), std::string(value)};
}

Findings CronEnvironment::set(const CronVariable& variable, bool anacron) {
  const auto& [name, value] = variable;
  Findings findings;
  if (name == "MAILTO") {
    mail_to_ = value;
    if (value.empty()) {
      findings.note("no mail is sent anyway");
    } else {
      findings.change(
          "mail comes only when a run fails: --write makes an alert rule for the label `mailto`");
    }
  } else if (name == "MAILFROM" || name.starts_with("CONTENT_T")) {
    findings.refuse("no mail is sent");
  } else if (name == "SHELL") {
    shell_ = value;
    findings.note("the shell of the jobs below");
  } else if (name == "CRON_TZ") {
    cron_tz_ = value;
    findings.note("the time zone of the jobs below");
  } else if (name == "RANDOM_DELAY") {
    const auto minutes = whole_number(value);
    if (!minutes) {
      findings.refuse("RANDOM_DELAY is not a number of minutes");
    } else {
      random_delay_minutes_ = *minutes;
      findings.note("the `jitter` of the jobs below");
    }
  } else if (anacron && name == "START_HOURS_RANGE") {
    const auto hour = whole_number(std::string_view(value).substr(0, value.find('-')));
    if (!hour || *hour > 23) {
      findings.refuse("START_HOURS_RANGE does not begin with an hour");
    } else {
      start_hour_ = *hour;
      findings.change("jobs start at the first hour of the range; there is no last one");
    }
  } else if (name == "LOGNAME" || name == "USER") {
    findings.refuse("cron sets this itself and so does the worker");
  } else {
    if (name == "HOME") home_ = value;
    set_variable(variables_, name, value);
    findings.note(name == "HOME" ? "the folder and a variable of the jobs below"
                  : name == "TZ" ? "a variable of the jobs below; as with cron it does not move "
                                   "the schedule"
                                 : "a variable of the jobs below");
  }
  return findings;
}

void CronEnvironment::apply(ImportedJob& job, Findings& findings) const {
  if (!mail_to_.empty()) job.labels["mailto"] = mail_to_;
  if (random_delay_minutes_ > 0) {
    job.jitter = format_duration(std::chrono::minutes(random_delay_minutes_));
    findings.change("RANDOM_DELAY was drawn anew by cron; `jitter` is fixed by the job's name");
  }
}

}  // namespace belfry::importer
