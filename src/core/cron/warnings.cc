#include "core/cron/warnings.h"

#include "core/cron/clock_warnings.h"
#include "core/cron/describe_days.h"
#include "core/cron/words.h"
#include "core/schedule/civil.h"

#include <bit>
#include <functional>
#include <iterator>
#include <utility>

namespace belfry::core {
namespace {

constexpr int kFebruary = 2;
constexpr int kDaysOfAWeek = 7;
constexpr std::int64_t kEndOfTime = days_from_civil({kLastYear + 1, 1, 2}) * kSecondsPerDay;

// --- fires -----------------------------------------------------------------------------------

// The next and the last fire that really run. Each step passes a clock change, so the loop ends.
std::optional<CronFire> next_run(const CronRule& rule, bool gap_skips, std::int64_t after) {
  auto fire = rule.next(after);
  while (fire && fire->after_gap && gap_skips) fire = rule.next(fire->at);
  return fire;
}
std::optional<CronFire> previous_run(const CronRule& rule, bool gap_skips, std::int64_t before) {
  auto fire = rule.previous(before);
  while (fire && fire->after_gap && gap_skips) fire = rule.previous(fire->at);
  return fire;
}

// "Tue 1 Jan 2030 at 00:00" in the zone of the rule.
std::string moment(const CronRule& rule, std::int64_t at) {
  const std::int64_t civil = at + rule.zone().offset_at(at);
  return date_of(civil) + " at " + time_of(civil);
}

CivilDate local_date(const CronRule& rule, std::int64_t at) {
  return civil_from_days(floor_days(at + rule.zone().offset_at(at)));
}

// --- days that not every month has -------------------------------------------------------------

bool can_match(const DayRule& days, int length) {
  for (int weekday = 0; weekday < kDaysOfAWeek; ++weekday) {
    if (days.in_month(length, weekday) != 0) return true;
  }
  return false;
}

// The months of an expression in which its days are never found, and whether February has them in
// leap years only.
struct MissingDays {
  std::uint16_t months = 0;
  bool february_needs_leap_year = false;
};

MissingDays missing_days(const CronExpression& expression) {
  constexpr int kCommonYear = 2001;
  constexpr int kLeapYear = 2000;
  MissingDays missing;
  for (const int month : values_of(expression.months)) {
    const bool in_leap_years = can_match(expression.days, days_in_month(kLeapYear, month));
    const bool in_common_years = can_match(expression.days, days_in_month(kCommonYear, month));
    if (!in_leap_years) missing.months |= static_cast<std::uint16_t>(1U << month);
    if (in_leap_years && !in_common_years) missing.february_needs_leap_year = true;
  }
  return missing;
}

// "30th or 31st", "day 30 days before the last"; "such day" for a mixture.
std::string missing_day_names(const DayRule& days) {
  const std::uint32_t plain = days.days | days.nearest_weekday;
  const std::uint32_t before_last = days.last_minus | days.nearest_last_minus;
  if (plain == 0 && std::has_single_bit(before_last)) {
    return "day " + counted(std::countr_zero(before_last), "day") + " before the last";
  }
  if (before_last != 0) return "such day";
  std::vector<std::string> names;
  for (const int day : values_of(plain)) names.push_back(ordinal(day));
  return in_list(names, "or");
}

// "April and June have no 31st".
std::string months_have_no_day(std::uint16_t months, const DayRule& days) {
  return month_names(months) + (std::has_single_bit(months) ? " has no " : " have no ") +
         missing_day_names(days);
}

// "February has a 29th in leap years only".
std::string in_leap_years_only(const DayRule& days) {
  std::string what = missing_day_names(days);
  if (((days.days | days.nearest_weekday) >> 29 & 1U) != 0) what = ordinal(29);
  if (days.day_of_month_open) what = "fifth " + weekday_names(days.nth_weekdays.back(), "or");
  return "February has a " + what + " in leap years only";
}

// --- never_fires, end_of_schedule --------------------------------------------------------------

int last_year_of(const CronExpression& expression) {
  for (int year = kLastYear; year >= kFirstYear; --year) {
    if (expression.years[static_cast<std::size_t>(year - kFirstYear)]) return year;
  }
  return kFirstYear;
}

std::string why_never(const CronRule& rule, std::int64_t from) {
  const CronExpression& expression = rule.expression();
  const MissingDays missing = missing_days(expression);
  if (missing.months == expression.months) {
    return months_have_no_day(missing.months, expression.days);
  }
  const int last_year = last_year_of(expression);
  if (last_year < local_date(rule, from).year) {
    return "its last year, " + std::to_string(last_year) + ", has passed";
  }
  const auto not_missing = static_cast<std::uint16_t>(expression.months & ~missing.months);
  if (missing.february_needs_leap_year && not_missing == 1U << kFebruary) {
    return in_leap_years_only(expression.days) + ", and none of its remaining years is one";
  }
  if (rule.next(from)) {
    return "the clocks of " + rule.zone().name() + " jump over every time it names";
  }
  return "no match is left through " + std::to_string(last_year);
}

Warning never_fires(const CronRule& rule, bool gap_skips, std::int64_t from) {
  const auto last = previous_run(rule, gap_skips, from + 1);
  if (!last) return {"never_fires", "Never runs: " + why_never(rule, from), std::nullopt};
  return {"never_fires",
          "Never runs again: " + why_never(rule, from) + "; the last run was on " +
              moment(rule, last->at),
          last->at};
}

std::optional<Warning> end_of_schedule(const CronRule& rule, bool gap_skips) {
  if (last_year_of(rule.expression()) == kLastYear) return std::nullopt;
  const auto last = previous_run(rule, gap_skips, kEndOfTime);
  if (!last) return std::nullopt;
  return Warning{"end_of_schedule",
                 "The last run is on " + moment(rule, last->at) + " (" + rule.zone().name() +
                     "); none follows",
                 last->at};
}

// --- both_day_fields ---------------------------------------------------------------------------

bool is_every_day(const DayRule& days) {
  constexpr int kShortest = 28;
  constexpr int kLongest = 31;
  for (int length = kShortest; length <= kLongest; ++length) {
    for (int weekday = 0; weekday < kDaysOfAWeek; ++weekday) {
      if (std::popcount(days.in_month(length, weekday)) != length) return false;
    }
  }
  return true;
}

// Whoever writes `8-14 * FRI` means the second Friday, and cron has a way to say that. Empty when
// the fields have another shape.
std::string as_nth_weekday(const DayRule& days) {
  if (!std::has_single_bit(days.weekdays)) return {};
  constexpr std::uint32_t kFirstWeek = 0xfe;
  for (int n = 1; n <= 4; ++n) {
    if (days.days != kFirstWeek << (kDaysOfAWeek * (n - 1))) continue;
    const int weekday = std::countr_zero(days.weekdays);
    const auto number = static_cast<std::size_t>(weekday);
    return "for the " + std::string(nth_in_words(n)) + " " + std::string(weekday_name(weekday)) +
           " of the month alone write `" + std::string(info_of(Field::kDayOfWeek).names[number]) +
           "#" + std::to_string(n) + "` and put `*` into day-of-month";
  }
  return {};
}

std::optional<Warning> both_day_fields(const DayRule& days) {
  if (days.day_of_month_open || days.day_of_week_open) return std::nullopt;
  std::string message = "Both day fields are set and either is enough: it runs ";
  if (is_every_day(days)) {
    message += "every day";
  } else {
    message += days_of_month_in_words(days) + " of the month and also " + weekdays_in_words(days);
  }
  std::string instead = as_nth_weekday(days);
  if (instead.empty()) {
    instead = "to use one alone put `*` into the other (cron cannot ask for both at once)";
  }
  return Warning{"both_day_fields", message + "; " + instead, std::nullopt};
}

// --- some_months_skipped -----------------------------------------------------------------------

// The most years from one 29 February to the next (2096 to 2104). A schedule that waits longer has
// a year field that begins later.
constexpr int kLongestWait = 8;

struct YearMonth {
  int year;
  int month;
};

// The first month after `date` that the expression names but finds no day in.
std::optional<YearMonth> next_month_without_a_day(const CronExpression& expression,
                                                  const CivilDate& date) {
  constexpr int kMonthsToLookAt = (kLongestWait + 1) * 12;
  YearMonth at{date.year, date.month};
  for (int i = 0; i < kMonthsToLookAt; ++i) {
    if (++at.month > 12) at = {at.year + 1, 1};
    if (at.year > kLastYear) return std::nullopt;
    if (at.year < kFirstYear) continue;
    if (!expression.years[static_cast<std::size_t>(at.year - kFirstYear)]) continue;
    if ((expression.months >> at.month & 1U) == 0) continue;
    const int first_weekday = weekday_of(days_from_civil({at.year, at.month, 1}));
    const int length = days_in_month(at.year, at.month);
    if (expression.days.in_month(length, first_weekday) == 0) return at;
  }
  return std::nullopt;
}

std::string why_months_are_skipped(const CronExpression& expression) {
  const DayRule& days = expression.days;
  if (days.day_of_month_open) {
    return "Not every month has a fifth " + weekday_names(days.nth_weekdays.back(), "or");
  }
  const MissingDays missing = missing_days(expression);
  if (missing.months != 0) return months_have_no_day(missing.months, days);
  return in_leap_years_only(days);
}

std::optional<Warning> some_months_skipped(const CronRule& rule, std::int64_t next,
                                           std::int64_t from) {
  const CronExpression& expression = rule.expression();
  // With both day fields set, the other one may well run in that month.
  if (expression.days.day_of_month_open == expression.days.day_of_week_open) return std::nullopt;
  CivilDate start = local_date(rule, from);
  const int first_year = local_date(rule, next).year;
  if (first_year > start.year + kLongestWait) start = {first_year - 1, 12, 1};
  const auto skipped = next_month_without_a_day(expression, start);
  if (!skipped) return std::nullopt;
  const std::string why = why_months_are_skipped(expression);
  if (expression.months == 1U << kFebruary && !expression.days.day_of_month_open) {
    return Warning{"some_months_skipped", why + "; the next run is on " + moment(rule, next), next};
  }
  const std::int64_t civil = days_from_civil({skipped->year, skipped->month, 1}) * kSecondsPerDay;
  // Midnight as an instant: the offset just before it is near enough to find the right one.
  const std::int64_t guess = civil - rule.zone().offset_at(civil);
  return Warning{"some_months_skipped",
                 why + "; the next month without a run is " +
                     std::string(month_name(skipped->month)) + " " + std::to_string(skipped->year),
                 civil - rule.zone().offset_at(guess)};
}

// --- uneven_step -------------------------------------------------------------------------------

constexpr bool has_neighbours(std::uint64_t bits) {
  return (bits & bits >> 1) != 0;
}

// Where a step starts again, and whether one round is followed by another at once: after
// `*/7 2 * * *` comes a pause anyway, so nobody notices that 7 does not divide 60.
struct Round {
  Field field;
  std::string_view unit;
  std::string_view starts_again;
  std::function<std::string(int)> place;
  bool followed_by_another;
};

std::vector<Round> rounds_of(const CronExpression& e) {
  const bool any_day = e.days.day_of_month_open && e.days.day_of_week_open;
  const bool days_follow =
      any_day || has_neighbours(e.days.in_month(31, 0)) || has_neighbours(e.days.in_month(31, 3));
  const auto second = [](int n) { return "second " + std::to_string(n); };
  const auto minute = [](int n) { return "minute " + std::to_string(n); };
  const auto hour = [](int n) { return "hour " + two_digits(n); };
  const auto day = [](int n) { return "the " + ordinal(n); };
  const auto month = [](int n) { return std::string(month_name(n)); };
  const auto weekday = [](int n) { return std::string(weekday_name(n)); };
  return {
      {Field::kSecond, "second", "at the full minute", second, has_neighbours(e.minutes)},
      {Field::kMinute, "minute", "at the full hour", minute, has_neighbours(e.hours)},
      {Field::kHour, "hour", "at midnight", hour, days_follow},
      {Field::kDayOfMonth, "day", "on the 1st of the month", day,
       e.days.day_of_week_open && has_neighbours(e.months)},
      {Field::kMonth, "month", "in January", month, true},
      {Field::kDayOfWeek, "day", "on Sunday", weekday, e.days.day_of_month_open},
  };
}

std::optional<Warning> uneven_step(const FieldSyntax& syntax, const Round& round) {
  if (syntax.elements.size() != 1 || !round.followed_by_another) return std::nullopt;
  const Element& element = syntax.elements.front();
  const FieldInfo& info = info_of(round.field);
  // A range written out ends where its author wants; only a step through the whole field is meant
  // to go on.
  const bool whole_field = element.star || element.open_ended ||
                           (element.hashed && element.first < info.low + element.step);
  if (element.step == 1 || !whole_field || element.last != info.high) return std::nullopt;
  const int last = element.first + (element.last - element.first) / element.step * element.step;
  const int distance = info.count - last + element.first;
  if (last == element.first || distance == element.step) return std::nullopt;
  const std::string unit(round.unit);
  std::string message = "A step of " + counted(element.step, unit) + " starts again " +
                        std::string(round.starts_again) + ": from " + round.place(last) + " to " +
                        round.place(element.first) + " it is " + counted(distance, unit);
  if (round.field == Field::kDayOfMonth) message += " (in a month of 31 days)";
  return Warning{"uneven_step", std::move(message), std::nullopt};
}

// --- sub_minute, every_second ------------------------------------------------------------------

std::optional<Warning> sub_minute(const CronExpression& expression) {
  const int in_a_minute = std::popcount(expression.seconds);
  if (in_a_minute == 1) return std::nullopt;
  const std::int64_t in_a_day = std::int64_t{in_a_minute} * std::popcount(expression.minutes) *
                                std::popcount(expression.hours);
  const std::string runs = with_separators(in_a_day) + " runs a day";
  if (in_a_minute == 60) {
    return Warning{"every_second",
                   "Runs every second, " + runs +
                       "; for one run a minute put `0` into the first "
                       "field, the seconds",
                   std::nullopt};
  }
  return Warning{"sub_minute", "Runs " + std::to_string(in_a_minute) + " times a minute, " + runs,
                 std::nullopt};
}

}  // namespace

std::vector<Warning> warnings_for(const CronSyntax& syntax, const CronRule& rule, bool gap_skips,
                                  std::int64_t from) {
  const CronExpression& expression = rule.expression();
  const auto next = next_run(rule, gap_skips, from);
  if (!next) return {never_fires(rule, gap_skips, from)};
  std::vector<Warning> warnings;
  const auto add = [&warnings](std::optional<Warning> warning) {
    if (warning) warnings.push_back(std::move(*warning));
  };
  add(end_of_schedule(rule, gap_skips));
  add(both_day_fields(expression.days));
  add(some_months_skipped(rule, next->at, from));
  add(sub_minute(expression));
  for (const Round& round : rounds_of(expression)) add(uneven_step(syntax[round.field], round));
  std::vector<Warning> clocks = clock_warnings(rule, gap_skips, from);
  warnings.insert(warnings.end(), std::make_move_iterator(clocks.begin()),
                  std::make_move_iterator(clocks.end()));
  return warnings;
}

}  // namespace belfry::core
