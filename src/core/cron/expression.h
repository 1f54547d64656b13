#pragma once

#include "core/schedule/zone.h"

#include <array>
#include <bitset>
#include <compare>
#include <cstdint>
#include <limits>

namespace belfry::core {

inline constexpr int kFirstYear = 1970;
using YearSet = std::bitset<kLastYear - kFirstYear + 1>;

// No later (or earlier) civil time matches.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// The two day fields of an expression: which days of a month they pick. Bit d of a mask of days is
// day d (1-31); bit w of a mask of weekdays is weekday w (0 = Sunday).
struct DayRule {
  std::uint32_t days = 0;                      // plain days of the month
  std::uint32_t last_minus = 0;                // bit n: `L-n`; bit 0: `L`
  std::uint32_t nearest_weekday = 0;           // bit n: `nW`
  std::uint32_t nearest_last_minus = 0;        // bit n: `L-nW`; bit 0: `LW`
  std::uint8_t weekdays = 0;                   // plain weekdays
  std::uint8_t last_weekdays = 0;              // `dL`
  std::array<std::uint8_t, 5> nth_weekdays{};  // [k - 1]: `d#k`
  bool day_of_month_open = true;               // `*`, `?` or `*/1`: the other field decides
  bool day_of_week_open = true;

  // The days picked in a month of `length` days whose first day is a `first_weekday`. Only days
  // that exist are in it.
  std::uint32_t in_month(int length, int first_weekday) const;

  friend bool operator==(const DayRule&, const DayRule&) = default;
};

// A cron expression as sets: no text, no allocation, compares by meaning. It matches civil times
// (see core/schedule/civil.h), so it knows nothing of zones; CronRule adds them.
struct CronExpression {
  std::uint64_t seconds = 1;  // bit n: second n
  std::uint64_t minutes = 0;
  std::uint32_t hours = 0;
  std::uint16_t months = 0;  // bits 1-12
  DayRule days;
  YearSet years = YearSet{}.set();  // bit n: kFirstYear + n

  // True when the seconds (if written), minutes or hours begin with `*`. It decides what happens
  // when clocks change: such a job is about the rhythm, any other about the time of day.
  bool is_interval = false;

  // The first matching civil second at or after `from`, or kNever. Always ends: it looks at each
  // month up to kLastYear at most once.
  std::int64_t next_civil(std::int64_t from) const;

  // The last matching civil second at or before `from`, or kNever.
  std::int64_t previous_civil(std::int64_t from) const;

  friend bool operator==(const CronExpression&, const CronExpression&) = default;
};

}  // namespace belfry::core
