#pragma once

#include "core/cron/rule.h"
#include "core/cron/syntax.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace belfry::core {

// Something legal in a schedule that its author may not expect, in words for that author.
struct Warning {
  // Stable; programs may act on it:
  //   never_fires          no instant after `from` matches
  //   end_of_schedule      the year field ends it; `at` is the last fire
  //   both_day_fields      a day needs to match only one of day-of-month and day-of-week
  //   some_months_skipped  the day does not exist in every month; `at` is the next such month (for
  //                        29 February, the next fire)
  //   uneven_step          `*/7` starts again with the full hour, so one distance differs
  //   every_second         all 60 seconds of a minute
  //   sub_minute           more than one fire in a minute
  //   dst_gap              a time of day that the clocks will jump over; `at` is the jump
  //   dst_overlap          a time of day that will be shown twice; `at` is the first time
  //   dst_interval         either of these for an interval job that is limited to some hours
  std::string code;
  std::string message;             // a sentence without a full stop
  std::optional<std::int64_t> at;  // the instant it is about, in Unix seconds

  friend bool operator==(const Warning&, const Warning&) = default;
};

// What is worth saying about a schedule from the instant `from` on, gravest first; `rule` is the
// compiled `syntax` in its zone. Clock changes are named within three years, the next of each kind.
// `gap_skips`: times in a gap are left out instead of run at its end.
//
// The work is bounded whatever the expression: a few searches, each over the months through
// kLastYear (together some 0.1 ms at worst).
std::vector<Warning> warnings_for(const CronSyntax& syntax, const CronRule& rule, bool gap_skips,
                                  std::int64_t from);

}  // namespace belfry::core
