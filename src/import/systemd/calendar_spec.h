#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// systemd's calendar events (systemd.time(7)), the values of OnCalendar=.
namespace belfry::importer {

struct CalendarPart {
  int first = 0;
  std::optional<int> last;  // with a step and no last: to the end
  int step = 0;             // 0: none was written
};
using CalendarParts = std::vector<CalendarPart>;  // empty: any value

struct CalendarSpec {
  std::uint8_t weekdays = 0;  // bit 0 is Sunday; 0: any
  CalendarParts years;
  CalendarParts months;
  CalendarParts days;
  bool days_from_end = false;  // `~`: day 1 is the last of the month
  CalendarParts hours;
  CalendarParts minutes;
  CalendarParts seconds;
  std::string timezone;               // empty: the host's
  std::optional<std::int64_t> epoch;  // `@seconds`: this instant, and nothing of the above
};

// Errors say which part is wrong.
Result<CalendarSpec> parse_calendar(std::string_view text);

}  // namespace belfry::importer
