#include "cli/text/time_argument.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/schedule/civil.h"

#include <charconv>
#include <filesystem>
#include <optional>

namespace belfry::cli {
namespace {

constexpr std::size_t kToTheMinute = std::string_view("2026-03-08T07:00Z").size();

// Digits at the front, exactly `count` of them.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  if (text.size() < count) return {};
  int value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + count, value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + count || text[0] == '-') return {};
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// "07:00", "07:00:30"; the rest of the text has to be empty.
std::optional<std::int64_t> second_of_day(std::string_view text) {
  const auto hour = take_number(text, 2);
  if (!hour || !take(text, ':')) return {};
  const auto minute = take_number(text, 2);
  if (!minute) return {};
  int second = 0;
  if (take(text, ':')) second = take_number(text, 2).value_or(99);
  if (!text.empty() || *hour > 23 || *minute > 59 || second > 59) return {};
  return *hour * 3'600 + *minute * 60 + second;
}

// Civil seconds of a date with or without a time, or of a time on `today`.
std::optional<std::int64_t> civil_seconds(std::string_view text, std::int64_t today) {
  if (const auto time = second_of_day(text)) return today * core::kSecondsPerDay + *time;
  const auto year = take_number(text, 4);
  if (!year || !take(text, '-')) return {};
  const auto month = take_number(text, 2);
  if (!month || *month < 1 || *month > 12 || !take(text, '-')) return {};
  const auto day = take_number(text, 2);
  if (!day || *day < 1 || *day > core::days_in_month(*year, *month)) return {};
  const std::int64_t midnight = core::days_from_civil({*year, *month, *day}) * core::kSecondsPerDay;
  if (text.empty()) return midnight;
  if (!take(text, 'T') && !take(text, ' ')) return {};
  const auto time = second_of_day(text);
  return time ? std::optional(midnight + *time) : std::nullopt;
}

// The first instant at which the zone's wall clock shows `civil`, or has jumped past it.
Instant instant_of(std::int64_t civil, const core::Zone& zone) {
  std::size_t index = zone.span_index_at(civil - 86'400);
  while (index + 1 < zone.span_count() && zone.span(index).civil_end() <= civil) ++index;
  const core::ZoneSpan& span = zone.span(index);
  return from_unix_seconds(std::max(civil - span.offset, span.begin));
}

}  // namespace

Result<Instant> parse_time(std::string_view text, Instant now, const std::string& timezone,
                           core::ZoneCatalog& zones) {
  if (text == "now") return now;
  if (text.starts_with('+') || text.starts_with('-')) {
    BELFRY_TRY(distance, parse_duration(text.substr(1)));
    const Instant whole = from_unix_seconds(floor_unix_seconds(now));  // as a person would say it
    return text[0] == '+' ? whole + distance : whole - distance;
  }
  if (const auto instant = parse_instant(text)) return *instant;
  if (text.size() == kToTheMinute && text.ends_with('Z')) {  // a person leaves the seconds out
    const auto instant = parse_instant(std::string(text.substr(0, text.size() - 1)) + ":00Z");
    if (instant) return *instant;
  }
  BELFRY_TRY(zone, zones.find(timezone));
  const std::int64_t second = floor_unix_seconds(now);
  const auto civil = civil_seconds(text, core::floor_days(second + zone->offset_at(second)));
  if (civil) return instant_of(*civil, *zone);
  return fail(Error{.code = Errc::kInvalid,
                    .message = "`" + std::string(text) + "` is not a time",
                    .hint = "write 2026-03-08T07:00:00Z, `2026-03-08 07:00`, 07:00, +2h or now"});
}

bool is_wall_clock(std::string_view text) {
  const bool is_distance = text.starts_with('+') || text.starts_with('-');
  return text != "now" && !is_distance && !text.ends_with('Z') && !parse_instant(text);
}

std::string local_zone(const std::string& variable) {
  std::string name = variable.starts_with(':') ? variable.substr(1) : variable;
  if (name.empty()) {
    std::error_code error;
    name = std::filesystem::read_symlink("/etc/localtime", error).string();
  }
  constexpr std::string_view kFolder = "zoneinfo/";
  if (const std::size_t at = name.find(kFolder); at != std::string::npos) {
    name = name.substr(at + kFolder.size());
  }
  return name.empty() || name.starts_with('/') ? "UTC" : name;
}

}  // namespace belfry::cli
