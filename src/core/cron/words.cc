#include "core/cron/words.h"

#include "core/schedule/civil.h"

#include <algorithm>
#include <array>
#include <bit>

namespace belfry::core {
namespace {

constexpr std::array<std::string_view, 7> kWeekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                    "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

constexpr std::size_t kAbbreviation = 3;

}  // namespace

std::string in_list(const std::vector<std::string>& items, std::string_view conjunction) {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && i + 1 == items.size()) {
      text.append(" ").append(conjunction).append(" ");
    } else if (i > 0) {
      text += ", ";
    }
    text += items[i];
  }
  return text;
}

std::string ordinal(int n) {
  const bool teen = n % 100 >= 11 && n % 100 <= 13;
  const std::string_view ending = teen          ? "th"
                                  : n % 10 == 1 ? "st"
                                  : n % 10 == 2 ? "nd"
                                  : n % 10 == 3 ? "rd"
                                                : "th";
  return std::to_string(n).append(ending);
}

std::string counted(std::int64_t n, std::string_view noun) {
  return std::to_string(n).append(" ").append(noun).append(n == 1 ? "" : "s");
}

std::string with_separators(std::int64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t rest = text.size(); rest > 3; rest -= 3) text.insert(rest - 3, 1, ',');
  return text;
}

std::string_view weekday_name(int weekday) {
  return kWeekdays[static_cast<std::size_t>(weekday)];
}

std::string_view month_name(int month) {
  return kMonths[static_cast<std::size_t>(month - 1)];
}

std::string two_digits(int n) {
  return (n < 10 ? "0" : "") + std::to_string(n);
}

std::string time_in_words(std::int64_t second_of_day) {
  const auto seconds = static_cast<int>(second_of_day);
  std::string text = two_digits(seconds / 3600) + ":" + two_digits(seconds / 60 % 60);
  if (seconds % 60 != 0) text += ":" + two_digits(seconds % 60);
  return text;
}

std::string date_of(std::int64_t civil) {
  const std::int64_t day = floor_days(civil);
  const CivilDate date = civil_from_days(day);
  std::string text(weekday_name(weekday_of(day)).substr(0, kAbbreviation));
  text += " " + std::to_string(date.day) + " ";
  text += month_name(date.month).substr(0, kAbbreviation);
  return text + " " + std::to_string(date.year);
}

std::string time_of(std::int64_t civil) {
  return time_in_words(civil - floor_days(civil) * kSecondsPerDay);
}

std::vector<int> values_of(std::uint64_t bits) {
  std::vector<int> values;
  for (; bits != 0; bits &= bits - 1) values.push_back(std::countr_zero(bits));
  return values;
}

std::optional<Progression> progression_of(const std::vector<int>& values) {
  if (values.size() < 2) return std::nullopt;
  const int step = values[1] - values[0];
  const auto breaks = [step](int a, int b) { return b - a != step; };
  if (std::adjacent_find(values.begin(), values.end(), breaks) != values.end()) return std::nullopt;
  return Progression{values.front(), values.back(), step};
}

std::string in_ranges(const std::vector<int>& values,
                      const std::function<std::string(int)>& spell) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end + 1 < values.size() && values[end + 1] == values[end] + 1) ++end;
    if (end - i >= 2) {
      items.push_back(spell(values[i]) + " to " + spell(values[end]));
      i = end + 1;
    } else {
      items.push_back(spell(values[i++]));
    }
  }
  return in_list(items);
}

std::string by_example(const std::vector<int>& values,
                       const std::function<std::string(int)>& spell) {
  constexpr std::size_t kWrittenOut = 3;
  if (values.size() == 1) return spell(values.front()) + " only";
  if (values.size() > kWrittenOut) {
    return spell(values[0]) + ", " + spell(values[1]) + ", … " + spell(values.back());
  }
  std::vector<std::string> items;
  items.reserve(values.size());
  for (const int value : values) items.push_back(spell(value));
  return in_list(items);
}

}  // namespace belfry::core
