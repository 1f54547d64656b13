#include "core/cron/every.h"

#include "core/cron/token.h"

#include <cstdint>
#include <string>
#include <utility>

namespace belfry::core {
namespace {

constexpr std::string_view kWord = "@every";
constexpr std::int64_t kLongest = std::int64_t{100} * 366 * 86'400;  // a century of seconds

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

struct Unit {
  char letter;
  std::int64_t seconds;
};
constexpr Unit kUnits[] = {{'h', 3600}, {'m', 60}, {'s', 1}};

tl::unexpected<Error> refuse(std::string_view text, std::string message) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = std::move(message),
                    .field = "@every",
                    .hint = "write whole hours, minutes and seconds, for example `@every 1h30m`",
                    .span = TextSpan{0, text.size()}});
}

}  // namespace

bool is_every(std::string_view text) {
  text = trimmed(text);
  if (!equal_ignoring_case(text.substr(0, kWord.size()), kWord)) return false;
  return text.size() == kWord.size() || is_blank(text[kWord.size()]);
}

Result<std::chrono::seconds> parse_every(std::string_view text) {
  const std::string_view interval = trimmed(trimmed(text).substr(kWord.size()));
  if (interval.empty()) return refuse(text, "the interval is missing");
  std::int64_t total = 0;
  std::size_t at = 0;
  for (const Unit& unit : kUnits) {
    std::size_t end = at;
    std::int64_t value = 0;
    while (end < interval.size() && is_digit(interval[end])) {
      value = value * 10 + (interval[end++] - '0');
      if (value > kLongest) return refuse(text, "the interval is longer than 100 years");
    }
    if (end == at || end == interval.size()) continue;
    if (interval[end] != unit.letter) continue;
    total += value * unit.seconds;
    at = end + 1;
  }
  if (at != interval.size()) {
    return refuse(text, "`" + std::string(interval.substr(0, 20)) +
                            "` is not an interval of hours (h), minutes (m) and seconds (s)");
  }
  if (total < 1) return refuse(text, "the interval must be at least 1s");
  if (total > kLongest) return refuse(text, "the interval is longer than 100 years");
  return std::chrono::seconds(total);
}

}  // namespace belfry::core
