#include "import/ical/ical_rule.h"

#include "core/schedule/civil.h"
#include "import/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace belfry::importer {
namespace {

using core::civil_from_days;
using core::CivilDate;
using core::days_from_civil;
using core::days_in_month;
using core::kSecondsPerDay;
using core::weekday_of;

std::optional<int> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

tl::unexpected<Error> refuse_rule(std::string_view what) {
  return fail(Error{.code = Errc::kInvalid, .message = "its RRULE " + std::string(what)});
}

std::optional<int> weekday_named(std::string_view text) {
  constexpr std::array<std::string_view, 7> kNames{"SU", "MO", "TU", "WE", "TH", "FR", "SA"};
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<int>(found - kNames.begin());
}

// Whole numbers with 1 <= |n| <= most, negative ones only where they count from the end.
std::optional<std::vector<int>> numbers_of(std::string_view text, int most, bool from_end) {
  std::vector<int> numbers;
  for (const std::string_view part : parts_of(text, ',')) {
    const auto number = number_of(part);
    if (!number || *number == 0 || *number > most || *number < (from_end ? -most : 1)) {
      return std::nullopt;
    }
    numbers.push_back(*number);
  }
  return numbers;
}

bool contains(const std::vector<int>& numbers, int wanted) {
  return std::find(numbers.begin(), numbers.end(), wanted) != numbers.end();
}

void sort_once(std::vector<std::int64_t>& days) {
  std::sort(days.begin(), days.end());
  days.erase(std::unique(days.begin(), days.end()), days.end());
}

}  // namespace

std::optional<IcalTime> parse_ical_time(std::string_view text) {
  IcalTime time;
  if (text.ends_with('Z')) {
    time.is_utc = true;
    text.remove_suffix(1);
  }
  time.has_time = text.size() == 15 && text[8] == 'T';
  if (text.size() != 8 && !time.has_time) return std::nullopt;
  if (time.is_utc && !time.has_time) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i != 8 && (text[i] < '0' || text[i] > '9')) return std::nullopt;
  }
  const auto digits = [&](std::size_t at, std::size_t size) {
    return *number_of(text.substr(at, size));
  };
  const CivilDate date{digits(0, 4), digits(4, 2), digits(6, 2)};
  if (date.year < 1601 || date.year > 2199 || date.month < 1 || date.month > 12) return {};
  if (date.day < 1 || date.day > days_in_month(date.year, date.month)) return std::nullopt;
  time.civil = days_from_civil(date) * kSecondsPerDay;
  if (!time.has_time) return time;
  const int hour = digits(9, 2);
  const int minute = digits(11, 2);
  const int second = std::min(digits(13, 2), 59);  // a leap second is the one before it
  if (hour > 23 || minute > 59) return std::nullopt;
  time.civil += hour * 3'600 + minute * 60 + second;
  return time;
}

Result<IcalRule> IcalRule::parse(std::string_view text) {
  IcalRule rule;
  bool has_frequency = false;
  for (const std::string_view part : parts_of(text, ';')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return refuse_rule("has a part without `=`");
    has_frequency = has_frequency || part.substr(0, equals) == "FREQ";
    BELFRY_CHECK(rule.set(part.substr(0, equals), part.substr(equals + 1)));
  }
  if (!has_frequency) return refuse_rule("has no FREQ");
  const bool ordinals = std::any_of(rule.weekdays_.begin(), rule.weekdays_.end(),
                                    [](const Weekday& day) { return day.ordinal != 0; });
  if (ordinals && rule.frequency_ < Frequency::kMonthly) {
    return refuse_rule("counts weekdays within a day or a week");
  }
  return rule;
}

Status IcalRule::set(std::string_view name, std::string_view value) {
  const auto list = [&](std::vector<int>& to, int most, bool from_end) -> Status {
    auto numbers = numbers_of(value, most, from_end);
    if (!numbers) return refuse_rule("has a " + std::string(name) + " that cannot be read");
    to = std::move(*numbers);
    return {};
  };
  if (name == "FREQ") {
    constexpr std::array<std::string_view, 4> kNames{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
    const auto found = std::find(kNames.begin(), kNames.end(), value);
    if (found == kNames.end()) return refuse_rule("repeats by less than a day");
    frequency_ = static_cast<Frequency>(found - kNames.begin());
  } else if (name == "INTERVAL" || name == "COUNT") {
    const auto number = number_of(value);
    if (!number || *number < 1) return refuse_rule("has an INTERVAL or COUNT below one");
    if (name == "COUNT") count_ = *number;
    if (name == "INTERVAL") interval_ = *number;
  } else if (name == "UNTIL") {
    until_ = parse_ical_time(value);
    if (!until_) return refuse_rule("has an UNTIL that cannot be read");
  } else if (name == "WKST") {
    const auto day = weekday_named(value);
    if (!day) return refuse_rule("has a WKST that cannot be read");
    week_start_ = *day;
  } else if (name == "BYDAY") {
    for (const std::string_view part : parts_of(value, ',')) {
      const auto day = weekday_named(part.substr(part.size() < 2 ? 0 : part.size() - 2));
      const std::string_view before = part.substr(0, part.size() < 2 ? 0 : part.size() - 2);
      const auto ordinal = before.empty() ? std::optional(0) : number_of(before);
      if (!day || !ordinal || *ordinal > 53 || *ordinal < -53) {
        return refuse_rule("has a BYDAY that cannot be read");
      }
      weekdays_.push_back({*ordinal, *day});
    }
  } else if (name == "BYMONTHDAY") {
    return list(month_days_, 31, true);
  } else if (name == "BYMONTH") {
    return list(months_, 12, false);
  } else if (name == "BYSETPOS") {
    return list(positions_, 366, true);
  } else {
    return refuse_rule("has " + std::string(name.substr(0, 20)) + ", which is not understood");
  }
  return {};
}

bool IcalRule::fits_month(std::int64_t day) const {
  return months_.empty() || contains(months_, civil_from_days(day).month);
}

// Ordinals count within [first, last], a month or a year.
bool IcalRule::fits_weekday(std::int64_t day, std::int64_t first, std::int64_t last) const {
  if (weekdays_.empty()) return true;
  return std::any_of(weekdays_.begin(), weekdays_.end(), [&](const Weekday& wanted) {
    if (weekday_of(day) != wanted.day) return false;
    if (wanted.ordinal == 0) return true;
    return wanted.ordinal > 0 ? (day - first) / 7 + 1 == wanted.ordinal
                              : (last - day) / 7 + 1 == -wanted.ordinal;
  });
}

std::vector<std::int64_t> IcalRule::days_of_month(int year, int month,
                                                  int start_day_of_month) const {
  const int length = days_in_month(year, month);
  const std::int64_t first = days_from_civil({year, month, 1});
  std::vector<std::int64_t> days;
  for (int day = 1; day <= length; ++day) {
    const bool fits = !month_days_.empty()
                          ? contains(month_days_, day) || contains(month_days_, day - length - 1)
                          : !weekdays_.empty() || day == start_day_of_month;
    const std::int64_t number = first + day - 1;
    if (fits && fits_weekday(number, first, first + length - 1)) days.push_back(number);
  }
  return days;
}

std::vector<std::int64_t> IcalRule::days_of_year(int year, std::int64_t start_day) const {
  const CivilDate start = civil_from_days(start_day);
  std::vector<std::int64_t> days;
  if (months_.empty() && month_days_.empty() && !weekdays_.empty()) {
    const std::int64_t first = days_from_civil({year, 1, 1});
    const std::int64_t last = days_from_civil({year, 12, 31});
    for (std::int64_t day = first; day <= last; ++day) {
      if (fits_weekday(day, first, last)) days.push_back(day);
    }
    return days;
  }
  for (int month = 1; month <= 12; ++month) {
    const bool fits =
        !months_.empty() ? contains(months_, month) : !month_days_.empty() || month == start.month;
    if (!fits) continue;
    const auto of_month = days_of_month(year, month, start.day);
    days.insert(days.end(), of_month.begin(), of_month.end());
  }
  return days;
}

std::vector<std::int64_t> IcalRule::days_of_period(std::int64_t start_day,
                                                   std::int64_t index) const {
  const CivilDate start = civil_from_days(start_day);
  std::vector<std::int64_t> days;
  if (frequency_ == Frequency::kDaily) {
    const std::int64_t day = start_day + index * interval_;
    const CivilDate date = civil_from_days(day);
    const int from_end = date.day - days_in_month(date.year, date.month) - 1;
    const bool fits =
        month_days_.empty() || contains(month_days_, date.day) || contains(month_days_, from_end);
    if (fits && fits_month(day) && fits_weekday(day, day, day)) days.push_back(day);
  } else if (frequency_ == Frequency::kWeekly) {
    const std::int64_t into_week = (weekday_of(start_day) - week_start_ + 7) % 7;
    const std::int64_t first = start_day - into_week + index * interval_ * 7;
    for (std::int64_t day = first; day < first + 7; ++day) {
      const bool same = weekday_of(day) == weekday_of(start_day);
      const bool fits = weekdays_.empty() ? same : fits_weekday(day, day, day);
      if (fits && fits_month(day)) days.push_back(day);
    }
  } else if (frequency_ == Frequency::kMonthly) {
    const std::int64_t month = start.year * 12 + start.month - 1 + index * interval_;
    const int of_year = static_cast<int>(month % 12) + 1;
    if (months_.empty() || contains(months_, of_year)) {
      days = days_of_month(static_cast<int>(month / 12), of_year, start.day);
    }
  } else {
    days = days_of_year(static_cast<int>(start.year + index * interval_), start_day);
  }
  sort_once(days);
  if (positions_.empty()) return days;
  std::vector<std::int64_t> chosen;
  const auto size = static_cast<int>(days.size());
  for (const int position : positions_) {
    const int at = position > 0 ? position - 1 : size + position;
    if (at >= 0 && at < size) chosen.push_back(days[static_cast<std::size_t>(at)]);
  }
  sort_once(chosen);
  return chosen;
}

void IcalRule::visit(std::int64_t start, std::int64_t through,
                     const std::function<bool(std::int64_t)>& visitor) const {
  const std::int64_t start_day = core::floor_days(start);
  const std::int64_t time = start - start_day * kSecondsPerDay;
  constexpr std::array<std::int64_t, 4> kShortest{1, 7, 28, 365};
  const std::int64_t shortest = kShortest[static_cast<std::size_t>(frequency_)];
  std::int64_t seen = 1;
  if (start > through || !visitor(start)) return;
  for (std::int64_t index = 0; seen < count_.value_or(INT64_MAX); ++index) {
    // A period begins no earlier than this; a week may have begun before the start.
    const std::int64_t earliest = start_day + index * interval_ * shortest - 366;
    if (earliest * kSecondsPerDay > through) return;
    for (const std::int64_t day : days_of_period(start_day, index)) {
      const std::int64_t at = day * kSecondsPerDay + time;
      if (at <= start) continue;
      if (at > through || !visitor(at)) return;
      if (++seen >= count_.value_or(INT64_MAX)) return;
    }
  }
}

}  // namespace belfry::importer
