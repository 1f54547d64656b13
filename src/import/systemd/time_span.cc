#include "import/systemd/time_span.h"

#include "base/text/duration_text.h"
#include "import/text.h"

#include <algorithm>
#include <array>

namespace belfry::importer {
namespace {

struct SpanUnit {
  std::string_view names;  // separated by blanks
  std::int64_t micros;
};
constexpr std::int64_t kSecond = 1'000'000;
constexpr std::array<SpanUnit, 9> kUnits{{{"us usec µs", 1},
                                          {"ms msec", 1'000},
                                          {"s sec second seconds", kSecond},
                                          {"m min minute minutes", 60 * kSecond},
                                          {"h hr hour hours", 3'600 * kSecond},
                                          {"d day days", 86'400 * kSecond},
                                          {"w week weeks", 604'800 * kSecond},
                                          {"M month months", 2'629'800 * kSecond},
                                          {"y year years", 31'557'600 * kSecond}}};

std::optional<std::int64_t> unit_in_micros(std::string_view name) {
  if (name.empty()) return kSecond;
  for (const SpanUnit& unit : kUnits) {
    const auto names = words_of(unit.names);
    if (std::find(names.begin(), names.end(), name) != names.end()) return unit.micros;
  }
  return std::nullopt;
}

// Takes digits off the front, at most nine of them.
std::optional<int> take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  const auto value = whole_number(text.substr(0, end));
  text.remove_prefix(end);
  return value;
}

}  // namespace

Result<std::optional<Duration>> parse_time_span(std::string_view text) {
  const auto refuse = [&] {
    return fail(Errc::kInvalid, in_backticks(text) + " is not a time span; for example `1h 30min`");
  };
  std::string_view rest = trimmed(text);
  if (lower(rest) == "infinity") return std::optional<Duration>();
  if (rest.empty()) return refuse();
  std::int64_t sum = 0;
  while (!rest.empty()) {
    const auto whole = take_number(rest);
    if (!whole) return refuse();
    std::int64_t thousandths = 0;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      std::int64_t place = 100;
      for (; !rest.empty() && is_digit(rest.front()); rest.remove_prefix(1), place /= 10) {
        thousandths += place * (rest.front() - '0');
      }
    }
    rest = trimmed(rest);
    std::size_t end = 0;
    while (end < rest.size() && !is_digit(rest[end]) && !is_space(rest[end])) ++end;
    const auto micros = unit_in_micros(rest.substr(0, end));
    if (!micros || *whole > kLongestDuration.count() / *micros) return refuse();
    sum += *whole * *micros + *micros * thousandths / 1'000;
    if (sum > kLongestDuration.count()) return refuse();
    rest = trimmed(rest.substr(end));
  }
  return std::optional(Duration(sum));
}

}  // namespace belfry::importer
