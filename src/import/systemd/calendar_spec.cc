#include "import/systemd/calendar_spec.h"

#include "import/text.h"

#include <array>

namespace belfry::importer {
namespace {

struct Shorthand {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<Shorthand, 12> kShorthands{{{"minutely", "*-*-* *:*:00"},
                                                 {"hourly", "*-*-* *:00:00"},
                                                 {"daily", "*-*-* 00:00:00"},
                                                 {"weekly", "Mon *-*-* 00:00:00"},
                                                 {"monthly", "*-*-01 00:00:00"},
                                                 {"quarterly", "*-01,04,07,10-01 00:00:00"},
                                                 {"semiannually", "*-01,07-01 00:00:00"},
                                                 {"semi-annually", "*-01,07-01 00:00:00"},
                                                 {"biannually", "*-01,07-01 00:00:00"},
                                                 {"bi-annually", "*-01,07-01 00:00:00"},
                                                 {"yearly", "*-01-01 00:00:00"},
                                                 {"annually", "*-01-01 00:00:00"}}};
constexpr std::array<std::string_view, 7> kWeekdayNames{
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

tl::unexpected<Error> refuse(std::string message) {
  return fail(Errc::kInvalid, "OnCalendar: " + std::move(message));
}

// What a field may hold.
struct Bounds {
  std::string_view name;
  int low;
  int high;
};

Result<int> parse_number(std::string_view text, const Bounds& bounds) {
  if (text.find('.') != std::string_view::npos) {
    return refuse(in_backticks(text) + " is not a whole number; ticks fall on whole seconds");
  }
  const auto value = whole_number(text);
  if (!value) return refuse(in_backticks(text) + " is not a " + std::string(bounds.name));
  int number = *value;
  if (bounds.high > 100 && number < 100) number += number < 70 ? 2000 : 1900;  // two-digit years
  if (number < bounds.low || number > bounds.high) {
    return refuse("the " + std::string(bounds.name) + " " + std::string(text) +
                  " is out of range " + std::to_string(bounds.low) + "-" +
                  std::to_string(bounds.high));
  }
  return number;
}

Result<CalendarPart> parse_part(std::string_view text, const Bounds& bounds) {
  CalendarPart part;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const auto step = whole_number(text.substr(slash + 1));
    if (!step || *step < 1) return refuse(in_backticks(text) + " needs a whole number as its step");
    part.step = *step;
    text = text.substr(0, slash);
  }
  const std::size_t dots = text.find("..");
  BELFRY_TRY(first, parse_number(text.substr(0, dots), bounds));
  part.first = first;
  if (dots != std::string_view::npos) {
    BELFRY_TRY(last, parse_number(text.substr(dots + 2), bounds));
    if (last < first) return refuse(in_backticks(text) + " runs backwards");
    part.last = last;
  }
  return part;
}

Result<CalendarParts> parse_parts(std::string_view text, const Bounds& bounds) {
  CalendarParts parts;
  if (text == "*") return parts;
  while (true) {
    const std::size_t comma = text.find(',');
    BELFRY_TRY(part, parse_part(text.substr(0, comma), bounds));
    parts.push_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// Takes a weekday's name, whole or three letters, off the front.
std::optional<unsigned> take_weekday(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_letter(text[end])) ++end;
  const std::string word = lower(text.substr(0, end));
  for (unsigned day = 0; day < kWeekdayNames.size(); ++day) {
    if (word == kWeekdayNames[day] || word == kWeekdayNames[day].substr(0, 3)) {
      text.remove_prefix(end);
      return day;
    }
  }
  return std::nullopt;
}

// `Mon..Fri,Sun`; the week begins with Monday.
Result<std::uint8_t> parse_weekdays(std::string_view text) {
  const auto from_monday = [](unsigned day) { return (day + 6) % 7; };
  unsigned days = 0;
  while (!text.empty()) {
    const std::string_view at = text;
    const auto first = take_weekday(text);
    if (!first) return refuse(in_backticks(at) + " is not a weekday");
    unsigned last = *first;
    if (text.starts_with("..") || text.starts_with('-')) {
      text.remove_prefix(text.front() == '-' ? 1 : 2);
      const auto end = take_weekday(text);
      if (!end) return refuse(in_backticks(at) + " is not a range of weekdays");
      if (from_monday(*end) < from_monday(*first)) {
        return refuse(in_backticks(at) + " runs backwards: the week begins with Monday");
      }
      last = *end;
    }
    for (unsigned day = *first;; day = (day + 1) % 7) {
      days |= 1U << day;
      if (day == last) break;
    }
    if (text.starts_with(',')) {
      text.remove_prefix(1);
    } else if (!text.empty()) {
      return refuse(in_backticks(at) + " is not a list of weekdays");
    }
  }
  return static_cast<std::uint8_t>(days == 0x7F ? 0 : days);
}

// `Y-M-D`, `M-D`, and `~` for the last separator.
Status parse_date(std::string_view text, CalendarSpec& spec) {
  const std::size_t day_at = text.find_last_of("-~");
  spec.days_from_end = text[day_at] == '~';
  // Counted from the end, systemd takes only days that every month has.
  const Bounds days_bounds{"day", 1, spec.days_from_end ? 28 : 31};
  BELFRY_TRY(days, parse_parts(text.substr(day_at + 1), days_bounds));
  spec.days = std::move(days);
  std::string_view months = text.substr(0, day_at);
  if (const std::size_t dash = months.rfind('-'); dash != std::string_view::npos) {
    BELFRY_TRY(years, parse_parts(months.substr(0, dash), {"year", 1970, 2199}));
    spec.years = std::move(years);
    months.remove_prefix(dash + 1);
  }
  BELFRY_TRY(parsed, parse_parts(months, {"month", 1, 12}));
  spec.months = std::move(parsed);
  return {};
}

Status parse_time(std::string_view text, CalendarSpec& spec) {
  const auto parts = core::split({text, 0}, ':');
  if (parts.size() > 3) return refuse(in_backticks(text) + " is not a time of day");
  BELFRY_TRY(hours, parse_parts(parts[0].text, {"hour", 0, 23}));
  BELFRY_TRY(minutes, parse_parts(parts[1].text, {"minute", 0, 59}));
  BELFRY_TRY(seconds, parse_parts(parts.size() == 3 ? parts[2].text : "0", {"second", 0, 59}));
  spec.hours = std::move(hours);
  spec.minutes = std::move(minutes);
  spec.seconds = std::move(seconds);
  return {};
}

Result<CalendarSpec> parse_epoch(std::string_view text) {
  const auto seconds = core::all_digits(text) && text.size() < 11 ? text : std::string_view();
  if (seconds.empty()) return refuse(in_backticks(text) + " is not a number of seconds");
  CalendarSpec spec;
  spec.epoch = std::stoll(std::string(seconds));
  return spec;
}

}  // namespace

Result<CalendarSpec> parse_calendar(std::string_view text) {
  std::vector<std::string_view> words = words_of(text);
  if (words.empty()) return refuse("the value is empty");
  if (words.size() == 1 && words[0].starts_with('@')) return parse_epoch(words[0].substr(1));
  CalendarSpec spec;
  if (words.size() > 1 && is_letter(words.back().front())) {
    spec.timezone = lower(words.back()) == "utc" ? "UTC" : std::string(words.back());
    words.pop_back();
  }
  if (words.size() == 1) {
    for (const Shorthand& shorthand : kShorthands) {
      if (lower(words[0]) == shorthand.name) words = words_of(shorthand.meaning);
    }
  }
  std::size_t at = 0;
  if (is_letter(words[at].front())) {
    BELFRY_TRY(weekdays, parse_weekdays(words[at]));
    spec.weekdays = weekdays;
    ++at;
  }
  if (at < words.size() && words[at].find_first_of("-~") != std::string_view::npos) {
    BELFRY_CHECK(parse_date(words[at], spec));
    ++at;
  }
  spec.hours = spec.minutes = spec.seconds = {CalendarPart{}};
  if (at < words.size() && words[at].find(':') != std::string_view::npos) {
    BELFRY_CHECK(parse_time(words[at], spec));
    ++at;
  }
  if (at < words.size())
    return refuse(in_backticks(words[at]) + " is neither a date nor a time of day");
  return spec;
}

}  // namespace belfry::importer
