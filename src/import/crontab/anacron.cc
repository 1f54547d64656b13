#include "import/crontab/anacron.h"

#include "core/cron/words.h"
#include "import/names.h"
#include "import/text.h"

#include <optional>

namespace belfry::importer {
namespace {

// Days between two runs; 30 stands for a month, 365 for a year.
std::optional<int> period_in_days(std::string_view word) {
  if (word == "@daily") return 1;
  if (word == "@weekly") return 7;
  if (word == "@monthly") return 30;
  if (word == "@yearly" || word == "@annually") return 365;
  const auto days = whole_number(word);
  return days && *days >= 1 && *days <= 36'500 ? days : std::nullopt;
}

// Day-of-month, month and day-of-week of a period with a place in the calendar.
std::string_view day_fields(int days) {
  switch (days) {
    case 1: return "* * *";
    case 7: return "* * 0";
    case 30: return "1 * *";
    case 365: return "1 1 *";
    default: return {};
  }
}

}  // namespace

AnacronLine parse_anacron(std::string_view line, int start_hour, ImportedJob& job,
                          Findings& findings) {
  const std::string_view period_word = take_word(line);
  const auto period = period_in_days(period_word);
  const auto delay = whole_number(take_word(line));
  AnacronLine result{slug(take_word(line)), std::string(line)};
  if (!period || !delay || line.empty()) {
    findings.refuse("a line is a period in days, a delay in minutes, a name and a command");
    return result;
  }
  if (start_hour * 60 + *delay >= 24 * 60) {
    findings.refuse("the delay reaches into the next day");
    return result;
  }
  job.concurrency_policy = "FORBID";
  job.misfire_policy = "FIRE_ONCE";
  job.misfire_grace = std::to_string(*period) + "d";
  const int minute = start_hour * 60 + *delay;
  const std::string_view days = day_fields(*period);
  if (days.empty()) {
    job.schedule_type = "EVERY";
    job.every = std::to_string(*period) + "d";
    findings.change("anacron counted the days from the last run; the interval has a fixed rhythm");
    return result;
  }
  job.cron_expression =
      std::to_string(minute % 60) + " " + std::to_string(minute / 60) + " " + std::string(days);
  findings.change("anacron had no certain time: it is " +
                  core::time_in_words(std::int64_t{minute} * 60) +
                  " now; a tick missed while everything is down is made up for");
  return result;
}

}  // namespace belfry::importer
