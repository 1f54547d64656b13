#include "core/cron/describe_days.h"

#include "core/cron/words.h"

#include <array>
#include <bit>
#include <cctype>
#include <vector>

namespace belfry::core {
namespace {

constexpr std::uint16_t kAllMonths = 0x1ffe;

bool has(unsigned weekdays, int weekday) {
  return (weekdays >> weekday & 1U) != 0;
}

// Monday first, as people list them.
std::vector<int> week_of(std::uint8_t weekdays) {
  std::vector<int> days;
  for (int i = 1; i <= 7; ++i) {
    if (has(weekdays, i % 7)) days.push_back(i % 7);
  }
  return days;
}

// The first of three or more weekdays in a row that are all the mask has, or -1. A full week
// begins on Monday.
int first_of_run(std::uint8_t weekdays) {
  const int count = std::popcount(weekdays);
  if (count == 7) return 1;
  if (count < static_cast<int>(kFewestForARange)) return -1;
  for (int first = 0; first < 7; ++first) {
    int length = 0;
    while (length < 7 && has(weekdays, (first + length) % 7)) ++length;
    if (length == count) return first;
  }
  return -1;
}

std::string range_of_weekdays(std::uint8_t weekdays) {
  const int first = first_of_run(weekdays);
  const int last = (first + std::popcount(weekdays) - 1) % 7;
  return std::string(weekday_name(first)) + " to " + std::string(weekday_name(last));
}

std::string ordinals(std::uint32_t days) {
  std::vector<std::string> items;
  for (const int day : values_of(days)) items.push_back(ordinal(day));
  return in_list(items);
}

// "3 and 5 days before the last day".
std::string before_the_last_day(std::uint32_t counts) {
  std::vector<std::string> items;
  for (const int n : values_of(counts)) items.push_back(std::to_string(n));
  return in_list(items) + (counts == 2 ? " day" : " days") + " before the last day";
}

std::string plain_days(std::uint32_t days) {
  const std::vector<int> values = values_of(days);
  const auto steps = progression_of(values);
  if (steps && steps->step == 1 && values.size() >= kFewestForARange) {
    return "from the " + ordinal(steps->first) + " to the " + ordinal(steps->last);
  }
  if (steps && steps->step > 1 && values.size() >= kFewestForSteps) {
    return "on every " + ordinal(steps->step) + " day from the " + ordinal(steps->first) +
           " to the " + ordinal(steps->last);
  }
  return "on the " + in_ranges(values, ordinal);
}

// "the first and third Monday", "the last Friday": one item for each weekday.
std::vector<std::string> nth_weekdays(const DayRule& days) {
  std::vector<std::string> items;
  constexpr std::uint8_t kWholeWeek = 0x7f;
  for (const int weekday : week_of(kWholeWeek)) {
    std::vector<std::string> which;
    for (int n = 1; n <= 5; ++n) {
      const std::uint8_t nth = days.nth_weekdays[static_cast<std::size_t>(n - 1)];
      if (has(nth, weekday)) which.emplace_back(nth_in_words(n));
    }
    if (has(days.last_weekdays, weekday)) which.emplace_back("last");
    if (which.empty()) continue;
    items.push_back("the " + in_list(which) + " " + std::string(weekday_name(weekday)));
  }
  return items;
}

bool has_nth_weekdays(const DayRule& days) {
  return !nth_weekdays(days).empty();
}

// The second alternative of an "or".
std::string any_weekday_in_words(const DayRule& days) {
  std::vector<std::string> items;
  if (first_of_run(days.weekdays) >= 0) {
    items.push_back("on any day from " + range_of_weekdays(days.weekdays));
  } else if (days.weekdays != 0) {
    items.push_back("on any " + weekday_names(days.weekdays, "or"));
  }
  if (has_nth_weekdays(days)) items.push_back("on " + in_list(nth_weekdays(days)));
  return in_list(items, "or");
}

bool is_run_of_months(std::uint16_t months) {
  const std::vector<int> values = values_of(months);
  const auto steps = progression_of(values);
  return steps && steps->step == 1 && values.size() >= kFewestForARange;
}

std::string range_of_months(std::uint16_t months) {
  const std::vector<int> values = values_of(months);
  return "from " + std::string(month_name(values.front())) + " to " +
         std::string(month_name(values.back()));
}

// After days of the week: "in July", "from June to August".
std::string in_months(std::uint16_t months) {
  return is_run_of_months(months) ? range_of_months(months) : "in " + month_names(months);
}

// After days of the month: "of every month", "of July and August".
std::string of_months(std::uint16_t months) {
  if (months == kAllMonths) return "of every month";
  if (is_run_of_months(months)) return "of every month " + range_of_months(months);
  return "of " + month_names(months);
}

bool only_plain_days(const DayRule& days) {
  return (days.last_minus | days.nearest_weekday | days.nearest_last_minus) == 0;
}

// "on 1 January": one day of one month.
bool is_one_date(const CronExpression& expression) {
  const DayRule& days = expression.days;
  return !days.day_of_month_open && days.day_of_week_open && only_plain_days(days) &&
         std::has_single_bit(days.days) && std::has_single_bit(expression.months);
}

// Two kinds of days side by side. A month named after the second would seem to restrict it alone,
// so restricted months are said last and for both.
std::string of_the_month(std::uint16_t months) {
  return months == kAllMonths ? " of every month" : " of the month";
}
std::string but_only_in(std::uint16_t months) {
  return months == kAllMonths ? "" : ", but only " + in_months(months);
}

std::string either_day_field(const CronExpression& expression) {
  const DayRule& days = expression.days;
  std::string text = days_of_month_in_words(days) + of_the_month(expression.months) + " or " +
                     any_weekday_in_words(days);
  if (has_nth_weekdays(days)) text += of_the_month(expression.months);
  return text + but_only_in(expression.months);
}

std::string day_of_week_only(const CronExpression& expression) {
  const DayRule& days = expression.days;
  const std::string text = weekdays_in_words(days);
  if (days.weekdays == 0) return text + " " + of_months(expression.months);
  if (has_nth_weekdays(days)) {
    return text + of_the_month(expression.months) + but_only_in(expression.months);
  }
  return expression.months == kAllMonths ? text : text + " " + in_months(expression.months);
}

std::string day_of_month_only(const CronExpression& expression) {
  if (is_one_date(expression)) {
    return "on " + std::to_string(std::countr_zero(expression.days.days)) + " " +
           month_names(expression.months);
  }
  return days_of_month_in_words(expression.days) + " " + of_months(expression.months);
}

// Days and months without the join; empty when it goes without saying.
std::string days_and_months(const CronExpression& expression, bool every_hour) {
  const DayRule& days = expression.days;
  if (!days.day_of_month_open && !days.day_of_week_open) return either_day_field(expression);
  if (!days.day_of_month_open) return day_of_month_only(expression);
  if (!days.day_of_week_open) return day_of_week_only(expression);
  if (expression.months == kAllMonths) return every_hour ? "" : "every day";
  return (every_hour ? "" : "every day ") + in_months(expression.months);
}

// "in 2030", "from 2020 to 2025", "from 2030 on", "in every 4th year from 2000 to 2040".
std::string years_in_words(const std::vector<int>& years) {
  const auto text = [](int year) { return std::to_string(year); };
  const auto steps = progression_of(years);
  if (steps && steps->step == 1 && steps->last == kLastYear) {
    return "from " + text(steps->first) + " on";
  }
  if (steps && steps->step == 1 && years.size() >= kFewestForARange) {
    return "from " + text(steps->first) + " to " + text(steps->last);
  }
  if (steps && steps->step > 1 && years.size() >= kFewestForSteps) {
    return "in every " + ordinal(steps->step) + " year from " + text(steps->first) + " to " +
           text(steps->last);
  }
  return "in " + in_ranges(years, text);
}

std::string year_part(const CronExpression& expression) {
  if (expression.years.all()) return {};
  std::vector<int> years;
  for (int year = kFirstYear; year <= kLastYear; ++year) {
    if (expression.years[static_cast<std::size_t>(year - kFirstYear)]) years.push_back(year);
  }
  const bool every_day = expression.days.day_of_month_open && expression.days.day_of_week_open;
  const bool ends_in_a_month =
      is_one_date(expression) || (every_day && std::has_single_bit(expression.months));
  if (years.size() == 1 && ends_in_a_month) return " " + std::to_string(years.front());
  const bool joined = every_day && expression.months == kAllMonths;
  return (joined ? " " : ", ") + years_in_words(years);
}

}  // namespace

std::string_view nth_in_words(int n) {
  constexpr std::array<std::string_view, 5> kNth{"first", "second", "third", "fourth", "fifth"};
  return kNth[static_cast<std::size_t>(n - 1)];
}

std::string month_names(std::uint16_t months) {
  std::vector<std::string> names;
  for (const int month : values_of(months)) names.emplace_back(month_name(month));
  return in_list(names);
}

std::string weekday_names(std::uint8_t weekdays, std::string_view conjunction,
                          std::string_view plural) {
  if (first_of_run(weekdays) >= 0) return range_of_weekdays(weekdays);
  std::vector<std::string> names;
  for (const int weekday : week_of(weekdays)) {
    names.push_back(std::string(weekday_name(weekday)).append(plural));
  }
  return in_list(names, conjunction);
}

std::string days_of_month_in_words(const DayRule& days) {
  std::vector<std::string> items;
  if (days.days != 0) items.push_back(plain_days(days.days));
  if ((days.last_minus & 1U) != 0) items.emplace_back("on the last day");
  if (const std::uint32_t before = days.last_minus & ~1U; before != 0) {
    items.push_back(before_the_last_day(before));
  }
  if (days.nearest_weekday != 0) {
    const bool one = std::has_single_bit(days.nearest_weekday);
    items.push_back(std::string("on the ") + (one ? "weekday" : "weekdays") + " nearest to the " +
                    ordinals(days.nearest_weekday));
  }
  if ((days.nearest_last_minus & 1U) != 0) items.emplace_back("on the last weekday");
  if (const std::uint32_t before = days.nearest_last_minus & ~1U; before != 0) {
    const bool one = std::has_single_bit(before);
    items.push_back(std::string("on the ") + (one ? "weekday" : "weekdays") + " nearest to " +
                    before_the_last_day(before));
  }
  return in_list(items);
}

std::string weekdays_in_words(const DayRule& days) {
  std::vector<std::string> items;
  if (first_of_run(days.weekdays) >= 0) {
    items.push_back(range_of_weekdays(days.weekdays));
  } else if (days.weekdays != 0) {
    items.push_back("on " + weekday_names(days.weekdays, "and", "s"));
  }
  if (has_nth_weekdays(days)) items.push_back("on " + in_list(nth_weekdays(days)));
  return in_list(items);
}

std::string describe_days(const CronExpression& expression, const TimePhrase& time) {
  std::string text = days_and_months(expression, time.every_hour);
  if (!text.empty()) {
    // "At 00:00, 3 days before ..." and "At 09:00, Monday to ..." need a pause to be read right.
    const bool preposition = std::islower(static_cast<unsigned char>(text.front())) != 0;
    text.insert(0, time.ends_in_a_clause || !preposition ? ", " : " ");
  }
  return text + year_part(expression);
}

}  // namespace belfry::core
