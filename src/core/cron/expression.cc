#include "core/cron/expression.h"

#include "core/schedule/civil.h"

#include <bit>

namespace belfry::core {
namespace {

constexpr int kNone = -1;

// Bits above / below a position; shifting a 64-bit word by 64 is undefined, hence the two steps.
constexpr std::uint64_t bits_from(int position) {
  return ~std::uint64_t{0} << position;
}
constexpr std::uint64_t bits_through(int position) {
  return ~(~std::uint64_t{0} << position << 1);
}

constexpr int lowest(std::uint64_t bits) {
  return bits == 0 ? kNone : std::countr_zero(bits);
}
constexpr int highest(std::uint64_t bits) {
  return bits == 0 ? kNone : 63 - std::countl_zero(bits);
}

constexpr std::uint32_t all_days(int length) {
  return static_cast<std::uint32_t>(bits_through(length) & ~std::uint64_t{1});
}

// A mask of weekdays laid over the first week of a month: bit j becomes day j + 1.
constexpr std::uint64_t first_week(std::uint8_t weekdays, int first_weekday) {
  const unsigned mask = weekdays;
  return ((mask >> first_weekday) | (mask << (7 - first_weekday))) & 0x7fU;
}

// ... and over all its weeks, as a mask of days.
constexpr std::uint32_t every_week(std::uint8_t weekdays, int first_weekday, int length) {
  constexpr std::uint64_t kFiveWeeks = 0x1020'4081;  // a bit for each 7 days
  return static_cast<std::uint32_t>(first_week(weekdays, first_weekday) * kFiveWeeks << 1) &
         all_days(length);
}

// The working day nearest to `day` without leaving the month.
constexpr int nearest_weekday_to(int day, int length, int first_weekday) {
  const int weekday = (first_weekday + day - 1) % 7;
  if (weekday == 6) return day > 1 ? day - 1 : day + 2;       // Saturday
  if (weekday == 0) return day < length ? day + 1 : day - 2;  // Sunday
  return day;
}

std::uint32_t special_days(const DayRule& rule, int length, int first_weekday) {
  std::uint32_t picked = 0;
  for (std::uint32_t rest = rule.last_minus; rest != 0; rest &= rest - 1) {
    const int day = length - lowest(rest);
    if (day >= 1) picked |= 1U << day;
  }
  for (std::uint32_t rest = rule.nearest_weekday; rest != 0; rest &= rest - 1) {
    const int day = lowest(rest);
    if (day <= length) picked |= 1U << nearest_weekday_to(day, length, first_weekday);
  }
  for (std::uint32_t rest = rule.nearest_last_minus; rest != 0; rest &= rest - 1) {
    const int day = length - lowest(rest);
    if (day >= 1) picked |= 1U << nearest_weekday_to(day, length, first_weekday);
  }
  return picked;
}

std::uint32_t special_weekdays(const DayRule& rule, int length, int first_weekday) {
  std::uint64_t picked = 0;
  for (int week = 0; week < 5; ++week) {
    const std::uint8_t nth = rule.nth_weekdays[static_cast<std::size_t>(week)];
    picked |= first_week(nth, first_weekday) << (7 * week + 1);
  }
  const std::uint64_t last_seven_days = bits_from(length - 6);
  picked |= every_week(rule.last_weekdays, first_weekday, length) & last_seven_days;
  return static_cast<std::uint32_t>(picked) & all_days(length);
}

// Walks the months from the one that contains a given day, knowing for each the number of its first
// day and that day's weekday.
struct Month {
  int year;
  int month;
  int length;
  int first_weekday;
  std::int64_t first_day;

  static Month containing(std::int64_t day_number, const CivilDate& date) {
    const std::int64_t first = day_number - (date.day - 1);
    return {date.year, date.month, days_in_month(date.year, date.month), weekday_of(first), first};
  }
  static Month starting(int year, int month) {
    const std::int64_t first = days_from_civil({year, month, 1});
    return {year, month, days_in_month(year, month), weekday_of(first), first};
  }
  void advance() {
    first_day += length;
    first_weekday = (first_weekday + length) % 7;
    if (++month > 12) {
      month = 1;
      ++year;
    }
    length = days_in_month(year, month);
  }
  void retreat() {
    if (--month < 1) {
      month = 12;
      --year;
    }
    length = days_in_month(year, month);
    first_day -= length;
    first_weekday = (first_weekday + 35 - length) % 7;
  }
};

bool has_year(const CronExpression& expression, int year) {
  return expression.years[static_cast<std::size_t>(year - kFirstYear)];
}

std::uint32_t days_in(const CronExpression& expression, const Month& month) {
  if ((expression.months >> month.month & 1U) == 0) return 0;
  return expression.days.in_month(month.length, month.first_weekday);
}

// Second of the day of the first match at or after `from` (a second of the day), or kNone.
int next_time(const CronExpression& expression, int from) {
  const int hour = from / 3600;
  const int minute = from / 60 % 60;
  const int second = from % 60;
  const bool hour_matches = (expression.hours >> hour & 1U) != 0;
  if (hour_matches && (expression.minutes >> minute & 1U) != 0) {
    const int found = lowest(expression.seconds & bits_from(second));
    if (found != kNone) return from - second + found;
  }
  const int first_second = lowest(expression.seconds);
  if (hour_matches) {
    const int found = lowest(expression.minutes & bits_from(minute + 1));
    if (found != kNone) return hour * 3600 + found * 60 + first_second;
  }
  const int found = lowest(expression.hours & bits_from(hour + 1));
  if (found == kNone) return kNone;
  return found * 3600 + lowest(expression.minutes) * 60 + first_second;
}

// Second of the day of the last match at or before `from`, or kNone.
int previous_time(const CronExpression& expression, int from) {
  const int hour = from / 3600;
  const int minute = from / 60 % 60;
  const int second = from % 60;
  const bool hour_matches = (expression.hours >> hour & 1U) != 0;
  if (hour_matches && (expression.minutes >> minute & 1U) != 0) {
    const int found = highest(expression.seconds & bits_through(second));
    if (found != kNone) return from - second + found;
  }
  const int last_second = highest(expression.seconds);
  if (hour_matches) {
    const int found = highest(expression.minutes & ~bits_from(minute));
    if (found != kNone) return hour * 3600 + found * 60 + last_second;
  }
  const int found = highest(expression.hours & ~bits_from(hour));
  if (found == kNone) return kNone;
  return found * 3600 + highest(expression.minutes) * 60 + last_second;
}

constexpr int kLastSecondOfDay = 86'399;

std::int64_t civil_seconds(const Month& month, int day, int time) {
  return (month.first_day + day - 1) * kSecondsPerDay + time;
}

}  // namespace

std::uint32_t DayRule::in_month(int length, int first_weekday) const {
  if (day_of_month_open && day_of_week_open) return all_days(length);
  std::uint32_t picked = 0;
  if (!day_of_month_open) {
    picked |= days & all_days(length);
    picked |= special_days(*this, length, first_weekday);
  }
  if (!day_of_week_open) {
    picked |= every_week(weekdays, first_weekday, length);
    picked |= special_weekdays(*this, length, first_weekday);
  }
  return picked;
}

std::int64_t CronExpression::next_civil(std::int64_t from) const {
  if (from < 0) from = 0;
  const std::int64_t day_number = floor_days(from);
  const CivilDate date = civil_from_days(day_number);
  if (date.year > kLastYear) return kNever;
  Month month = Month::containing(day_number, date);
  std::uint32_t candidates = 0;
  if (has_year(*this, date.year)) {
    candidates = days_in(*this, month) & static_cast<std::uint32_t>(bits_from(date.day));
    if ((candidates >> date.day & 1U) != 0) {
      const int time = next_time(*this, static_cast<int>(from - day_number * kSecondsPerDay));
      if (time != kNone) return day_number * kSecondsPerDay + time;
      candidates &= candidates - 1;
    }
  }
  while (candidates == 0) {
    month.advance();
    if (month.month == 1) {  // a new year: pass over those that are not in the set
      while (month.year <= kLastYear && !has_year(*this, month.year)) {
        month = Month::starting(month.year + 1, 1);
      }
    } else if (!has_year(*this, month.year)) {
      continue;  // the year the search began in is not in the set
    }
    if (month.year > kLastYear) return kNever;
    candidates = days_in(*this, month);
  }
  return civil_seconds(month, lowest(candidates), next_time(*this, 0));
}

std::int64_t CronExpression::previous_civil(std::int64_t from) const {
  constexpr std::int64_t kLastSecond = days_from_civil({kLastYear + 1, 1, 1}) * kSecondsPerDay - 1;
  if (from < 0) return kNever;
  if (from > kLastSecond) from = kLastSecond;
  const std::int64_t day_number = floor_days(from);
  const CivilDate date = civil_from_days(day_number);
  Month month = Month::containing(day_number, date);
  std::uint32_t candidates = 0;
  if (has_year(*this, date.year)) {
    candidates = days_in(*this, month) & static_cast<std::uint32_t>(bits_through(date.day));
    if ((candidates >> date.day & 1U) != 0) {
      const int time = previous_time(*this, static_cast<int>(from - day_number * kSecondsPerDay));
      if (time != kNone) return day_number * kSecondsPerDay + time;
      candidates &= ~(1U << date.day);
    }
  }
  while (candidates == 0) {
    month.retreat();
    if (month.month == 12) {
      while (month.year >= kFirstYear && !has_year(*this, month.year)) {
        month = Month::starting(month.year - 1, 12);
      }
    } else if (!has_year(*this, month.year)) {
      continue;
    }
    if (month.year < kFirstYear) return kNever;
    candidates = days_in(*this, month);
  }
  return civil_seconds(month, highest(candidates), previous_time(*this, kLastSecondOfDay));
}

}  // namespace belfry::core
