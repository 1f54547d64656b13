#include "base/text/duration_text.h"

#include "base/text/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace belfry {
namespace {

using std::chrono::milliseconds;

struct Unit {
  std::string_view name;
  std::int64_t millis;
};

constexpr std::array<Unit, 5> kUnits{{
    {"d", 86'400'000},
    {"h", 3'600'000},
    {"m", 60'000},
    {"s", 1'000},
    {"ms", 1},
}};
constexpr std::int64_t kLongestMillis =
    std::chrono::duration_cast<milliseconds>(kLongestDuration).count();

constexpr std::string_view kExampleHint =
    "write a number and a unit, such as `90s`, `15m` or `1h30m`";
constexpr std::string_view kUnitsHint = "the units are `d`, `h`, `m`, `s` and `ms`";
constexpr std::string_view kOrderHint =
    "write each unit once, from large to small: `d`, `h`, `m`, `s`, `ms`";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The longest beginning of `text` whose characters all satisfy `holds`.
template <typename Predicate>
std::string_view leading(std::string_view text, Predicate holds) {
  const auto end = std::find_if_not(text.begin(), text.end(), holds);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

tl::unexpected<Error> refuse_too_long(TextSpan span) {
  return fail_at(span, "the duration is too long", "at most 100 years (`36525d`)");
}

// Says why there is no number where one is required.
tl::unexpected<Error> refuse_no_number(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (is_blank(c)) return fail_at({at, 1}, "a duration has no blanks", "write it like `1h30m`");
  if (c == '-' || c == '+') return fail_at({at, 1}, "a duration has no sign", kExampleHint);
  if (c == '.' || c == ',') {
    return fail_at({at, 1}, "a duration has no fraction",
                   "use a smaller unit: `90m` for 1.5 hours");
  }
  if (is_letter(c)) {
    const std::string_view word = leading(text.substr(at), is_letter);
    return fail_at({at, word.size()}, "a unit without a number before it", kExampleHint);
  }
  return fail_at({at, 1}, "a number was expected here", kExampleHint);
}

// Says why there is no unit after a number.
tl::unexpected<Error> refuse_no_unit(std::string_view text, std::size_t begin, std::size_t at) {
  if (at < text.size() && !is_digit(text[at]) && !is_letter(text[at])) {
    return refuse_no_number(text, at);
  }
  return fail_at({begin, at - begin}, "a number without a unit after it", kExampleHint);
}

std::string_view hint_for_unit(std::string_view word) {
  if (word == "w") return "a week is `7d`";
  if (word == "us" || word == "ns") return "the smallest unit is `ms`";
  return kUnitsHint;
}

Result<std::size_t> find_unit(std::string_view word, std::size_t at) {
  const auto found =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.name == word; });
  if (found == kUnits.end()) {
    return fail_at({at, word.size()}, "not a unit of time", hint_for_unit(word));
  }
  return static_cast<std::size_t>(found - kUnits.begin());
}

Status check_order(std::size_t unit, std::size_t first_allowed, std::size_t at) {
  if (unit >= first_allowed) return {};
  const std::string_view name = kUnits.at(unit).name;
  const std::string_view before = kUnits.at(first_allowed - 1).name;
  return fail_at({at, name.size()},
                 name == before ? fmt::format("`{}` appears twice", name)
                                : fmt::format("`{}` cannot follow `{}`", name, before),
                 kOrderHint);
}

// The value of `digits`, cut short once it is above the longest duration.
std::int64_t number_of(std::string_view digits) {
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (number > kLongestMillis) break;
    number = number * 10 + (digit - '0');
  }
  return number;
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  if (text.empty()) return fail_at({0, 0}, "the duration is empty", kExampleHint);
  std::int64_t millis = 0;
  std::size_t first_allowed = 0;  // units before this one are used up
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t begin = at;
    const std::string_view digits = leading(text.substr(at), is_digit);
    if (digits.empty()) return refuse_no_number(text, at);
    at += digits.size();
    const std::string_view word = leading(text.substr(at), is_letter);
    if (word.empty()) return refuse_no_unit(text, begin, at);
    BELFRY_TRY(unit, find_unit(word, at));
    BELFRY_CHECK(check_order(unit, first_allowed, at));
    const std::int64_t number = number_of(digits);
    if (number > (kLongestMillis - millis) / kUnits.at(unit).millis) {
      return refuse_too_long({begin, digits.size() + word.size()});
    }
    millis += number * kUnits.at(unit).millis;
    first_allowed = unit + 1;
    at += word.size();
  }
  return milliseconds(millis);
}

std::string format_duration(Duration duration) {
  const std::int64_t millis = std::chrono::floor<milliseconds>(duration).count();
  if (millis <= 0) return "0s";
  std::string text;
  std::int64_t rest = millis;
  for (const Unit& unit : kUnits) {
    if (rest < unit.millis) continue;
    text += fmt::format("{}{}", rest / unit.millis, unit.name);
    rest %= unit.millis;
  }
  return text;
}

}  // namespace belfry
