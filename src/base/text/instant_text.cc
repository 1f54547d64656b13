#include "base/text/instant_text.h"

#include "base/assert.h"
#include "base/text/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace belfry {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::string_view kShapeHint = "write it like `2026-03-08T07:00:00Z`";
constexpr std::string_view kZoneHint = "end with `Z` for UTC or an offset such as `+02:00`";

// The number in one part of the text, and where it stands, for the caret.
struct Part {
  int value = 0;
  TextSpan span;
};

// Takes the text apart from left to right; every error names the part that was expected.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t position() const { return at_; }

  bool take(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Status expect(char wanted, std::string_view where) {
    if (take(wanted)) return {};
    return fail_at(here(), fmt::format("`{}` is missing {}", wanted, where), kShapeHint);
  }

  std::string_view take_digits() {
    const std::size_t begin = at_;
    while (!at_end() && is_digit(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // Exactly `width` digits.
  Result<Part> number(std::string_view name, std::size_t width) {
    const std::size_t begin = at_;
    const std::string_view digits = take_digits();
    if (digits.empty()) {
      return fail_at(here(), fmt::format("the {} is missing", name), kShapeHint);
    }
    if (digits.size() != width) {
      return fail_at({begin, digits.size()}, fmt::format("the {} must have {} digits", name, width),
                     kShapeHint);
    }
    Part part{.span = {begin, width}};
    for (const char digit : digits) part.value = part.value * 10 + (digit - '0');
    return part;
  }

  // The next character, or the end of the text.
  TextSpan here() const { return {at_, at_end() ? 0U : 1U}; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

struct Date {
  sys_days days;
  Part year;
};

Status check_range(const Part& part, std::string_view name, int first, int last,
                   std::string_view hint = {}) {
  if (part.value >= first && part.value <= last) return {};
  return fail_at(part.span, fmt::format("{} {} is outside {} to {}", name, part.value, first, last),
                 hint);
}

Result<Date> read_date(Reader& reader) {
  BELFRY_TRY(year, reader.number("year", 4));
  BELFRY_CHECK(reader.expect('-', "after the year"));
  BELFRY_TRY(month, reader.number("month", 2));
  BELFRY_CHECK(check_range(month, "month", 1, 12));
  BELFRY_CHECK(reader.expect('-', "after the month"));
  BELFRY_TRY(day, reader.number("day", 2));
  BELFRY_CHECK(check_range(day, "day", 1, 31));
  const year_month_day date(std::chrono::year(year.value),
                            std::chrono::month(static_cast<unsigned>(month.value)),
                            std::chrono::day(static_cast<unsigned>(day.value)));
  if (!date.ok()) {
    const year_month_day last(date.year() / date.month() / std::chrono::last);
    return fail_at(
        day.span,
        fmt::format("day {} does not exist in {:04}-{:02}", day.value, year.value, month.value),
        fmt::format("the month has {} days", static_cast<unsigned>(last.day())));
  }
  return Date{sys_days(date), year};
}

// The digits after the point; none without a point.
Result<Duration> read_fraction(Reader& reader) {
  if (!reader.take('.')) return Duration::zero();
  const std::size_t begin = reader.position();
  const std::string_view digits = reader.take_digits();
  if (digits.empty()) return fail_at(reader.here(), "the fraction has no digits", kShapeHint);
  if (digits.size() > 6) {
    return fail_at({begin, digits.size()}, "the fraction has more than 6 digits",
                   "instants are kept in microseconds");
  }
  Duration::rep micros = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    micros = micros * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  return Duration(micros);
}

Result<Duration> read_time_of_day(Reader& reader) {
  BELFRY_TRY(hour, reader.number("hour", 2));
  BELFRY_CHECK(check_range(hour, "hour", 0, 23,
                           hour.value == 24 ? "midnight is `00:00:00` of the next day" : ""));
  BELFRY_CHECK(reader.expect(':', "after the hour"));
  BELFRY_TRY(minute, reader.number("minute", 2));
  BELFRY_CHECK(check_range(minute, "minute", 0, 59));
  BELFRY_CHECK(reader.expect(':', "after the minute"));
  BELFRY_TRY(second, reader.number("second", 2));
  BELFRY_CHECK(check_range(second, "second", 0, 59,
                           second.value == 60 ? "leap seconds are not counted" : ""));
  BELFRY_TRY(fraction, read_fraction(reader));
  return hours(hour.value) + minutes(minute.value) + seconds(second.value) + fraction;
}

// How far the wall clock of the text is ahead of UTC.
Result<Duration> read_zone(Reader& reader) {
  if (reader.take('Z') || reader.take('z')) return Duration::zero();
  const bool ahead = reader.take('+');
  if (!ahead && !reader.take('-')) {
    return reader.at_end() ? fail_at(reader.here(), "the time zone is missing", kZoneHint)
                           : fail_at(reader.here(), "a time zone was expected here", kZoneHint);
  }
  BELFRY_TRY(hour, reader.number("hour of the offset", 2));
  BELFRY_CHECK(check_range(hour, "hour of the offset", 0, 23));
  BELFRY_CHECK(reader.expect(':', "in the offset"));
  BELFRY_TRY(minute, reader.number("minute of the offset", 2));
  BELFRY_CHECK(check_range(minute, "minute of the offset", 0, 59));
  const Duration offset = hours(hour.value) + minutes(minute.value);
  return ahead ? offset : -offset;
}

year_month_day date_of(Instant instant) {
  return sys_days(std::chrono::floor<std::chrono::days>(instant.since_origin()));
}

// The year that counts is the one in UTC: then every instant in range has a text in every zone.
Status check_year(Instant instant, const Part& written) {
  const auto year = static_cast<int>(date_of(instant).year());
  if (year >= kFirstInstantYear && year <= kLastInstantYear) return {};
  return fail_at(
      written.span,
      fmt::format("year {}{} is outside {} to {}", year, year == written.value ? "" : " (in UTC)",
                  kFirstInstantYear, kLastInstantYear),
      {});
}

constexpr Instant start_of_year(int year) {
  return Instant(sys_days(std::chrono::year(year) / 1 / 1).time_since_epoch());
}

// The instant itself, or the nearest one with a year of four digits.
constexpr Instant nameable(Instant instant) {
  return std::clamp(instant, start_of_year(0), start_of_year(10'000) - Duration(1));
}

int exact_digits(Instant instant) {
  if (instant.micros() % 1'000'000 == 0) return 0;
  return instant.micros() % 1'000 == 0 ? 3 : 6;
}

// Writes a number's last digits, and what follows it.
template <typename Number>
void put_digits(std::string& text, Number number, std::size_t count, std::string_view after) {
  auto rest = static_cast<std::uint64_t>(number);
  text.append(count, '0');
  for (std::size_t place = text.size(); rest > 0 && count > 0; --count, rest /= 10) {
    text[--place] = static_cast<char>('0' + rest % 10);
  }
  text += after;
}

// "2026-03-08T07:00:00.250", with `digits` digits after the point. By hand, because each run that
// is handed out has three of them.
std::string format_wall(Instant wall, int digits) {
  const year_month_day date = date_of(wall);
  const Duration of_day = wall.since_origin() - sys_days(date).time_since_epoch();
  const std::chrono::hh_mm_ss time(of_day);
  std::string text;
  text.reserve(sizeof "2026-03-08T07:00:00.250000+02:00");
  put_digits(text, static_cast<int>(date.year()), 4, "-");
  put_digits(text, static_cast<unsigned>(date.month()), 2, "-");
  put_digits(text, static_cast<unsigned>(date.day()), 2, "T");
  put_digits(text, time.hours().count(), 2, ":");
  put_digits(text, time.minutes().count(), 2, ":");
  put_digits(text, time.seconds().count(), 2, digits > 0 ? "." : "");
  const auto micros = time.subseconds().count();
  if (digits > 0)
    put_digits(text, digits == 3 ? micros / 1'000 : micros, static_cast<std::size_t>(digits), "");
  return text;
}

}  // namespace

Result<Instant> parse_instant(std::string_view text) {
  if (text.empty()) return fail_at({0, 0}, "the instant is empty", kShapeHint);
  Reader reader(text);
  BELFRY_TRY(date, read_date(reader));
  if (reader.at_end()) return fail_at(reader.here(), "the time of day is missing", kShapeHint);
  if (!reader.take('t')) BELFRY_CHECK(reader.expect('T', "between date and time"));
  BELFRY_TRY(time_of_day, read_time_of_day(reader));
  BELFRY_TRY(ahead, read_zone(reader));
  if (!reader.at_end()) {
    return fail_at({reader.position(), text.size() - reader.position()},
                   "nothing may follow the instant", kShapeHint);
  }
  const Instant instant(date.days.time_since_epoch() + time_of_day - ahead);
  BELFRY_CHECK(check_year(instant, date.year));
  return instant;
}

std::string format_instant(Instant instant) {
  const Instant wall = nameable(instant);
  return format_wall(wall, exact_digits(wall)) + 'Z';
}

std::string format_instant(Instant instant, std::int32_t offset_seconds) {
  const int ahead = offset_seconds / 60;
  BELFRY_ASSERT(ahead > -24 * 60 && ahead < 24 * 60);
  if (ahead == 0) return format_instant(instant);
  const Instant wall = nameable(nameable(instant) + minutes(ahead));
  const int distance = ahead < 0 ? -ahead : ahead;
  return fmt::format("{}{}{:02}:{:02}", format_wall(wall, exact_digits(wall)),
                     ahead < 0 ? '-' : '+', distance / 60, distance % 60);
}

std::string format_instant_micros(Instant instant) {
  return format_wall(nameable(instant), 6) + 'Z';
}

}  // namespace belfry
