#include "cli/text/when.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "cli/text/text.h"
#include "core/schedule/civil.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>

namespace belfry::cli {
namespace {

constexpr std::array<const char*, 7> kWeekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<const char*, 13> kMonths{"",    "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::string rounded(Duration length) {
  using std::chrono::floor;
  if (length >= std::chrono::days(2)) return format_duration(floor<std::chrono::hours>(length));
  if (length >= std::chrono::hours(1)) return format_duration(floor<std::chrono::minutes>(length));
  return format_duration(floor<std::chrono::seconds>(length));
}

int number(std::string_view text, std::size_t begin, std::size_t length) {
  int value = 0;
  std::from_chars(text.data() + begin, text.data() + begin + length, value);
  return value;
}

}  // namespace

std::string relative(Instant at, Instant now) {
  if (at > now) return "in " + rounded(at - now + std::chrono::milliseconds(500));
  if (now - at < std::chrono::seconds(1)) return "now";
  return rounded(now - at) + " ago";
}

std::string civil(std::string_view rfc3339, Instant now) {
  if (!parse_instant(rfc3339)) return std::string(rfc3339);
  const core::CivilDate date{number(rfc3339, 0, 4), number(rfc3339, 5, 2), number(rfc3339, 8, 2)};
  const int weekday = core::weekday_of(core::days_from_civil(date));
  std::string text = fmt::format("{} {} {}", kWeekdays.at(static_cast<std::size_t>(weekday)),
                                 date.day, kMonths.at(static_cast<std::size_t>(date.month)));
  const int year = core::civil_from_days(core::floor_days(floor_unix_seconds(now))).year;
  if (date.year != year) text += fmt::format(" {}", date.year);
  const std::string_view time = rfc3339.substr(11, rfc3339.substr(17, 2) == "00" ? 5 : 8);
  return text + " " + std::string(time);
}

std::string when(const Session& session, const Json& object, std::string_view name,
                 std::string_view never) {
  const std::string text = field(object, name);
  if (text.empty()) return std::string(never);
  const auto at = parse_instant(text);
  return session.is_for_person() && at ? relative(*at, session.now()) : text;
}

std::string moment(const Session& session, std::string_view rfc3339, std::string_view zone) {
  const auto at = parse_instant(rfc3339);
  if (!at) return std::string(rfc3339);
  const std::string shown =
      session.is_for_person() ? civil(rfc3339, session.now()) : std::string(rfc3339);
  return shown + (zone.empty() ? "" : " " + std::string(zone)) + " (" +
         relative(*at, session.now()) + ")";
}

}  // namespace belfry::cli
