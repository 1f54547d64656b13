#include "import/crontab/crontab_fields.h"

#include "import/text.h"

#include <algorithm>

namespace belfry::importer {
namespace {

struct Range {
  std::string_view low;
  std::string_view high;
};
constexpr std::array<Range, 5> kRanges{
    {{"0", "59"}, {"0", "23"}, {"1", "31"}, {"1", "12"}, {"0", "6"}}};
constexpr std::size_t kDayOfMonth = 2;
constexpr std::size_t kDayOfWeek = 4;

// cronie's `10~40`: any value between, drawn when the crontab is loaded.
std::string hashed(std::string_view element, const Range& range) {
  const std::size_t tilde = element.find('~');
  const std::size_t slash = std::min(element.find('/'), element.size());
  const std::string_view low = element.substr(0, tilde);
  const std::string_view high = element.substr(tilde + 1, slash - tilde - 1);
  const std::string step(element.substr(slash));
  if (low.empty() && high.empty()) return "H" + step;
  return "H(" + std::string(low.empty() ? range.low : low) + "-" +
         std::string(high.empty() ? range.high : high) + ")" + step;
}

std::string element_from(std::string_view element, const Range& range, Findings& findings) {
  const std::size_t tilde = element.find('~');
  if (tilde != std::string_view::npos && tilde < element.find('/')) {
    std::string text = hashed(element, range);
    findings.change(in_backticks(element) + " was drawn anew at each start of cron; " +
                    in_backticks(text) + " is fixed by the job's name");
    return text;
  }
  const std::size_t slash = element.find('/');
  const std::string_view base = element.substr(0, slash);
  if (slash != std::string_view::npos && base != "*" && base.find('-') == std::string_view::npos) {
    findings.change("most crons refuse " + in_backticks(element) + "; it is read as `" +
                    std::string(base) + "-" + std::string(range.high) +
                    std::string(element.substr(slash)) + "`");
  }
  return std::string(element);
}

// cron treats a day field that begins with `*` as open even with a step, so both day fields must
// match; here either is enough.
void check_days(const CronFields& fields, Findings& findings) {
  const std::string_view month_day = fields[kDayOfMonth];
  const std::string_view week_day = fields[kDayOfWeek];
  if (is_open(month_day) || is_open(week_day)) return;
  if (month_day.starts_with('*') || week_day.starts_with('*')) {
    findings.refuse(
        "cron runs this only on days that match day-of-month and day-of-week, since one of them "
        "begins with `*`; here either is enough. Keep one day field, and name the days to leave "
        "out in a calendar");
  }
}

}  // namespace

std::string expression_from(const CronFields& fields, Findings& findings) {
  std::string expression;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) expression += ' ';
    std::string_view rest = fields[i];
    for (bool first = true; first || !rest.empty(); first = false) {
      const std::size_t comma = rest.find(',');
      if (!first) expression += ',';
      expression += element_from(rest.substr(0, comma), kRanges[i], findings);
      // A comma at the end stays: core refuses it in its own words.
      if (comma != std::string_view::npos && comma + 1 == rest.size()) expression += ',';
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  check_days(fields, findings);
  return expression;
}

void schedule_from_shorthand(std::string_view word, ImportedJob& job, Findings& findings) {
  const std::string name = lower(word);
  if (name == "@reboot") {
    findings.refuse(
        "`@reboot` runs when a host starts, and jobs here belong to no host; use a systemd service "
        "on that host");
  } else if (name == "@every_minute") {
    job.cron_expression = "* * * * *";
  } else if (name == "@every_second") {
    job.cron_expression = "* * * * * *";
  } else if (const auto seconds = whole_number(std::string_view(name).substr(1))) {
    job.schedule_type = "EVERY";
    job.every = std::to_string(*seconds) + "s";
    job.concurrency_policy = "FORBID";
    findings.change(in_backticks(word) +
                    " counted from the end of the run before; the interval is counted from start "
                    "to start, and a tick is skipped while a run goes on");
  } else {
    job.cron_expression = name;  // core knows the usual ones, and refuses the others with a hint
  }
}

}  // namespace belfry::importer
