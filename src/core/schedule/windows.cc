#include "core/schedule/windows.h"

#include "base/text/ascii.h"
#include "core/schedule/civil.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

namespace belfry::core {
namespace {

constexpr std::int64_t kDay = kSecondsPerDay;
constexpr std::int64_t kWeek = 7 * kDay;
constexpr std::int64_t kFirstSunday = 3 * kDay;   // 1970-01-04
constexpr std::int64_t kMostOffset = 26 * 3'600;  // no wall clock is further from UTC
constexpr std::string_view kHint =
    "for example `FRI 18:00..MON 06:00 Europe/Berlin`, `last 3 days of quarter` or "
    "`2026-12-24T18:00..2026-12-27T06:00`";

tl::unexpected<Error> refuse(std::string_view rule, std::string_view message) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = "`" + std::string(rule.substr(0, 60)) + "` " + std::string(message),
                    .field = "calendar",
                    .hint = std::string(kHint),
                    .span = TextSpan{0, rule.size()}});
}

std::optional<int> number_of(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool plain = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
  if (!plain || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// `18:00` or `18:00:30` as seconds of a day; up to `24:00`.
std::optional<std::int64_t> time_of(std::string_view text) {
  if ((text.size() != 5 && text.size() != 8) || text[2] != ':') return std::nullopt;
  const auto hour = number_of(text.substr(0, 2));
  const auto minute = number_of(text.substr(3, 2));
  std::optional<int> second = 0;
  if (text.size() == 8) second = text[5] == ':' ? number_of(text.substr(6)) : std::nullopt;
  if (!hour || !minute || !second || *minute > 59 || *second > 59) return std::nullopt;
  const std::int64_t time = *hour * 3'600 + *minute * 60 + *second;
  return time <= kDay ? std::optional(time) : std::nullopt;
}

// `2026-12-24T18:00` as civil seconds.
std::optional<std::int64_t> date_time_of(std::string_view text) {
  if (text.size() < 16 || text[4] != '-' || text[7] != '-' || text[10] != 'T') return std::nullopt;
  const auto year = number_of(text.substr(0, 4));
  const auto month = number_of(text.substr(5, 2));
  const auto day = number_of(text.substr(8, 2));
  const auto time = time_of(text.substr(11));
  if (!year || !month || !day || !time) return std::nullopt;
  if (*year < 1970 || *year > kLastYear || *month < 1 || *month > 12) return std::nullopt;
  if (*day < 1 || *day > days_in_month(*year, *month)) return std::nullopt;
  return days_from_civil({*year, *month, *day}) * kDay + *time;
}

std::optional<int> weekday_named(std::string_view text) {
  constexpr std::array<std::string_view, 7> kNames{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};
  const auto found = std::find(kNames.begin(), kNames.end(), in_capitals(text));
  if (found == kNames.end()) return std::nullopt;
  return static_cast<int>(found - kNames.begin());
}

// `MON-FRI,SUN` as days of the week, 0 = Sunday; none for what is not such a list.
std::optional<std::vector<int>> weekdays_of(std::string_view text) {
  std::array<bool, 7> chosen{};
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto first = weekday_named(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : weekday_named(part.substr(dash + 1));
    if (!first || !last) return std::nullopt;
    for (int day = *first;; day = (day + 1) % 7) {
      chosen[static_cast<std::size_t>(day)] = true;
      if (day == *last) break;
    }
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
  }
  std::vector<int> days;
  for (int day = 0; day < 7; ++day) {
    if (chosen[static_cast<std::size_t>(day)]) days.push_back(day);
  }
  return days;
}

// One end of a weekly window: `FRI 18:00`, or `18:00` alone.
struct WeekTime {
  std::vector<int> days;
  std::int64_t time = 0;
};
std::optional<WeekTime> week_time_of(std::string_view text) {
  const std::size_t space = text.find(' ');
  WeekTime end;
  if (space != std::string_view::npos) {
    auto days = weekdays_of(text.substr(0, space));
    if (!days) return std::nullopt;
    end.days = std::move(*days);
    text.remove_prefix(space + 1);
  }
  const auto time = time_of(text);
  if (!time) return std::nullopt;
  end.time = *time;
  return end;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// The first instant at which the wall clock shows a civil time or a later one.
std::int64_t first_at(const Zone& zone, std::int64_t civil) {
  std::size_t index = zone.span_index_at(std::max<std::int64_t>(civil - kMostOffset, 0));
  while (index + 1 < zone.span_count() && zone.span(index).civil_end() <= civil) ++index;
  const ZoneSpan& span = zone.span(index);
  return std::max(span.begin, civil - span.offset);
}

// The instant after the last one at which the wall clock shows less than a civil time.
std::int64_t end_before(const Zone& zone, std::int64_t civil) {
  std::size_t index = zone.span_index_at(std::max<std::int64_t>(civil + kMostOffset, 0));
  while (index > 0 && zone.span(index).civil_begin() >= civil) --index;
  const ZoneSpan& span = zone.span(index);
  return std::min(span.end, civil - span.offset);
}

// Remembers, of all windows tried, the one around an instant that ends last.
class Finder {
 public:
  explicit Finder(std::int64_t second) : second_(second) {}

  void try_window(const Zone& zone, std::int64_t begin, std::int64_t end) {
    const std::int64_t until = end_before(zone, end);
    if (until <= second_ || (found_ && until <= found_->end)) return;
    const std::int64_t from = first_at(zone, begin);
    if (from <= second_) found_ = Windows::Stretch{from, until};
  }
  std::int64_t second() const { return second_; }
  std::optional<Windows::Stretch> found() const { return found_; }

 private:
  std::int64_t second_;
  std::optional<Windows::Stretch> found_;
};

std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return (value >= 0 ? value : value - by + 1) / by;
}

// The day on which a period begins; periods are counted from that of January of the year 0.
std::int64_t first_day(std::int64_t period, int months) {
  const std::int64_t month = period * months;
  return days_from_civil({static_cast<int>(month / 12), static_cast<int>(month % 12) + 1, 1});
}

}  // namespace

bool Windows::is_window(std::string_view rule) {
  const std::string text = in_capitals(rule);
  return text.starts_with("FIRST ") || text.starts_with("LAST ") ||
         (text.find(':') != std::string::npos && text.find("..") != std::string::npos);
}

Status Windows::add(std::string_view rule, ZoneCatalog& zones) {
  // A zone is the last word if it has no colon and the rule is complete without it.
  std::string_view text = rule;
  const Zone* zone = nullptr;
  const bool timed = rule.find("..") != std::string_view::npos;
  const std::size_t space = rule.rfind(' ');
  if (space != std::string_view::npos) {
    const std::string_view last = rule.substr(space + 1);
    const std::string period = in_capitals(last);
    const bool is_period = period == "MONTH" || period == "QUARTER" || period == "YEAR";
    if (timed ? last.find(':') == std::string_view::npos : !is_period) {
      const auto found = zones.find(last);
      if (!found) return refuse(rule, "has no zone at its end: " + to_string(found.error()));
      zone = *found;
      text = rule.substr(0, space);
    }
  }
  if (!timed) return add_period(rule, text, zone);
  const bool dated = text.size() > 4 && text[4] == '-' && number_of(text.substr(0, 4));
  return dated ? add_once(rule, text, zones, zone) : add_weekly(rule, text, zone);
}

Status Windows::add_weekly(std::string_view rule, std::string_view text, const Zone* zone) {
  const std::size_t dots = text.find("..");
  const auto from = week_time_of(text.substr(0, dots));
  const auto to = week_time_of(text.substr(dots + 2));
  if (!from || !to || from->time == kDay) return refuse(rule, "is not a window of the week");
  if (to->days.empty()) {
    const std::int64_t length = to->time - from->time + (to->time > from->time ? 0 : kDay);
    for (int day = 0; day < 7; ++day) {
      const auto& days = from->days;
      if (!days.empty() && std::find(days.begin(), days.end(), day) == days.end()) continue;
      const std::int64_t begin = kFirstSunday + day * kDay + from->time;
      weekly_.push_back({zone, {begin, begin + length}});
    }
    return {};
  }
  if (from->days.size() != 1 || to->days.size() != 1) {
    return refuse(rule, "needs one weekday at each end");
  }
  const std::int64_t begin = from->days[0] * kDay + from->time;
  const std::int64_t end = to->days[0] * kDay + to->time;
  if (begin == end) return refuse(rule, "begins and ends at one time of the week");
  const std::int64_t length = end - begin + (end > begin ? 0 : kWeek);
  weekly_.push_back({zone, {kFirstSunday + begin, kFirstSunday + begin + length}});
  return {};
}

Status Windows::add_period(std::string_view rule, std::string_view text, const Zone* zone) {
  const std::string words_text = in_capitals(text);
  std::vector<std::string_view> words = words_of(words_text);
  Period period{.zone = zone};
  if (words.size() > 1 && number_of(words[1])) {
    period.days = *number_of(words[1]);
    words.erase(words.begin() + 1);
  }
  const bool whole = words.size() == 4 && (words[0] == "FIRST" || words[0] == "LAST") &&
                     (words[1] == "DAY" || words[1] == "DAYS") && words[2] == "OF";
  if (!whole) return refuse(rule, "is not a rule of days of a period");
  period.at_end = words[0] == "LAST";
  if (words[3] == "QUARTER") {
    period.months = 3;
  } else if (words[3] == "YEAR") {
    period.months = 12;
  } else if (words[3] != "MONTH") {
    return refuse(rule, "is not of a month, quarter or year");
  }
  const int most = period.months == 1 ? 27 : period.months == 3 ? 89 : 364;
  if (period.days < 1 || period.days > most) {
    return refuse(rule, "counts no day, or more than its period leaves open");
  }
  periods_.push_back(period);
  return {};
}

Status Windows::add_once(std::string_view rule, std::string_view text, ZoneCatalog& zones,
                         const Zone* zone) {
  const std::size_t dots = text.find("..");
  std::string_view from = text.substr(0, dots);
  std::string_view to = text.substr(dots + 2);
  if (from.ends_with('Z') != to.ends_with('Z')) return refuse(rule, "has a `Z` at one end only");
  if (from.ends_with('Z')) {
    if (zone != nullptr) return refuse(rule, "has both a `Z` and a zone");
    BELFRY_TRY(utc, zones.find("UTC"));
    zone = utc;
    from.remove_suffix(1);
    to.remove_suffix(1);
  }
  const auto begin = date_time_of(from);
  const auto end = date_time_of(to);
  if (!begin || !end) return refuse(rule, "is not from one date and time to another");
  if (*end <= *begin) return refuse(rule, "ends before it begins");
  auto of_zone =
      std::find_if(once_.begin(), once_.end(), [&](const Once& once) { return once.zone == zone; });
  if (of_zone == once_.end()) of_zone = once_.insert(once_.end(), Once{zone, {}});
  of_zone->stretches.push_back({*begin, *end});
  return {};
}

void Windows::seal() {
  for (Once& once : once_) {
    std::sort(once.stretches.begin(), once.stretches.end(),
              [](const Civil& a, const Civil& b) { return a.begin < b.begin; });
    std::vector<Civil> joined;
    for (const Civil& next : once.stretches) {
      if (!joined.empty() && next.begin <= joined.back().end) {
        joined.back().end = std::max(joined.back().end, next.end);
      } else {
        joined.push_back(next);
      }
    }
    once.stretches = std::move(joined);
  }
}

std::optional<Windows::Stretch> Windows::at(std::int64_t second, const Zone& job_zone) const {
  Finder finder(second);
  const auto zone_of = [&](const Zone* zone) -> const Zone& { return zone ? *zone : job_zone; };
  for (const Weekly& weekly : weekly_) {
    const Zone& zone = zone_of(weekly.zone);
    const std::int64_t civil = second + zone.offset_at(second);
    const std::int64_t week = floor_divide(civil - weekly.first.begin, kWeek);
    // Where the clocks change, a window of the weeks beside may reach here.
    for (std::int64_t k = week - 1; k <= week + 1; ++k) {
      finder.try_window(zone, weekly.first.begin + k * kWeek, weekly.first.end + k * kWeek);
    }
  }
  for (const Period& period : periods_) {
    const Zone& zone = zone_of(period.zone);
    const CivilDate date = civil_from_days(floor_days(second + zone.offset_at(second)));
    const std::int64_t current = (date.year * 12 + date.month - 1) / period.months;
    for (std::int64_t k = current - 1; k <= current + 1; ++k) {
      const std::int64_t begin = period.at_end ? first_day(k + 1, period.months) - period.days
                                               : first_day(k, period.months);
      finder.try_window(zone, begin * kDay, (begin + period.days) * kDay);
    }
  }
  for (const Once& once : once_) {
    const Zone& zone = zone_of(once.zone);
    const std::int64_t civil = second + zone.offset_at(second);
    // From the first that ends late enough, were the clocks a day off, to the last that begins.
    auto next = std::partition_point(
        once.stretches.begin(), once.stretches.end(),
        [&](const Civil& stretch) { return stretch.end <= civil - kMostOffset; });
    for (; next != once.stretches.end() && next->begin <= civil + kMostOffset; ++next) {
      finder.try_window(zone, next->begin, next->end);
    }
  }
  return finder.found();
}

}  // namespace belfry::core
