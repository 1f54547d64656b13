#include "core/cron/field_parser.h"

#include "base/text/ascii.h"
#include "core/cron/hash.h"
#include "core/suggest.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace belfry::core {
namespace {

std::string in_backticks(std::string_view text) {
  return "`" + std::string(text) + "`";
}

// Parses the elements of one field.
class FieldParser {
 public:
  FieldParser(Field field, const FieldContext& context)
      : field_(field), info_(info_of(field)), context_(context) {}

  Result<FieldSyntax> parse(Token token) const {
    FieldSyntax syntax{.span = token.span(), .elements = {}};
    const std::vector<Token> parts = split(token, ',');
    for (const Token& part : parts) {
      BELFRY_TRY(element, parse_element(part));
      if (element.kind == Element::Kind::kAll && parts.size() > 1) {
        return refuse(part,
                      in_backticks(part.text) + " means every " + std::string(info_.value) +
                          " and cannot stand in a list",
                      "write it alone, or leave it out of the list");
      }
      syntax.elements.push_back(element);
    }
    return syntax;
  }

 private:
  tl::unexpected<Error> refuse(Token where, std::string message, std::string hint = {}) const {
    return fail(Error{.code = Errc::kInvalid,
                      .message = std::move(message),
                      .field = std::string(info_.name),
                      .hint = std::move(hint),
                      .span = where.span()});
  }

  bool is_day_of_month() const { return field_ == Field::kDayOfMonth; }
  bool is_day_of_week() const { return field_ == Field::kDayOfWeek; }
  // How far numbers in the text are above the standard ones: Quartz counts weekdays from 1.
  int numbering() const { return is_day_of_week() && context_.dialect == Dialect::kQuartz ? 1 : 0; }
  int written_low() const { return info_.low + numbering(); }
  int written_high() const {
    return is_day_of_week() ? 7 : info_.high;  // 7: Sunday again, or Saturday in Quartz
  }
  std::string range_in_words() const {
    std::string words = std::to_string(written_low()) + "-" + std::to_string(written_high());
    if (!info_.names.empty()) {
      words += " or " + std::string(info_.names.front()) + "-" + std::string(info_.names.back());
    }
    return words;
  }

  Result<Element> parse_element(Token token) const {
    if (token.text.empty()) {
      return refuse(token, "a list element is empty", "remove the extra comma");
    }
    const char first = ascii_upper(token.text.front());
    if (token.text == "*") return whole_field(token, true);
    if (token.text == "?") return question_mark(token);
    if (first == 'H') return parse_hash(token);
    const std::vector<Token> halves = split(token, '/');
    if (halves.size() > 2) {
      return refuse(token, in_backticks(token.text) + " has more than one step", "keep one `/`");
    }
    if (halves.size() == 2) return parse_stepped(token, halves[0], halves[1]);
    if (is_day_of_month() && (first == 'L' || ascii_upper(token.text.back()) == 'W')) {
      return parse_special_day(token);
    }
    if (is_day_of_week()) {
      const bool special = token.contains('#') || ascii_upper(token.text.back()) == 'L';
      if (special) return parse_special_weekday(token);
    }
    return parse_range(token, token);
  }

  Element whole_field(Token token, bool star) const {
    return {.kind = Element::Kind::kAll,
            .first = info_.low,
            .last = info_.high,
            .star = star,
            .span = token.span()};
  }

  Result<Element> question_mark(Token token) const {
    if (is_day_of_month() || is_day_of_week()) return whole_field(token, false);
    return refuse(token, "`?` is allowed in the two day fields only", "write `*`");
  }

  // `first-last` or a single value; `whole` is the element it is part of.
  Result<Element> parse_range(Token token, Token whole) const {
    const std::size_t dash = token.text.find('-');
    if (dash == std::string_view::npos) {
      BELFRY_TRY(value, parse_value(token));
      if (is_day_of_week() && value == 7) value = 0;
      return Element{
          .kind = Element::Kind::kRange, .first = value, .last = value, .span = whole.span()};
    }
    BELFRY_TRY(first, parse_value(token.part(0, dash)));
    BELFRY_TRY(last, parse_value(token.part(dash + 1)));
    const bool within_hash = ascii_upper(whole.text.front()) == 'H';
    if (is_day_of_week() && last == 0 && first > 0 && !within_hash) last = 7;  // FRI-SUN
    if (first > last) return backward_range(token, first, last);
    return Element{
        .kind = Element::Kind::kRange, .first = first, .last = last, .span = whole.span()};
  }

  tl::unexpected<Error> backward_range(Token token, int first, int last) const {
    const std::size_t dash = token.text.find('-');
    const std::string begin(token.text.substr(0, dash));
    const std::string end(token.text.substr(dash + 1));
    // In the words of the writer: names where names were written.
    const auto spell = [&](int value) {
      const bool by_name = !info_.names.empty() && !all_digits(begin);
      return by_name ? std::string(info_.names[static_cast<std::size_t>(value - info_.low)])
                     : std::to_string(value + numbering());
    };
    std::string hint;
    if (is_day_of_week() && first == 7) {
      hint = "write `0-" + std::to_string(last) + "`: the week begins with Sunday, 0";
    } else if (field_ == Field::kYear) {
      hint = "write `" + end + "-" + begin + "`";
    } else {
      hint = "write `" + begin + "-" + spell(info_.high) + "," + spell(info_.low) + "-" + end + "`";
    }
    return refuse(token, in_backticks(token.text) + " runs backwards", std::move(hint));
  }

  Result<Element> parse_stepped(Token whole, Token base, Token step_token) const {
    BELFRY_TRY(step, parse_step(whole, step_token, info_.count,
                                "the " + std::string(info_.name) + " field"));
    if (base.text == "*") {
      return Element{.kind = Element::Kind::kRange,
                     .first = info_.low,
                     .last = info_.high,
                     .step = step,
                     .star = true,
                     .span = whole.span()};
    }
    BELFRY_TRY(element, parse_range(base, whole));
    if (!base.contains('-')) {
      element.last = info_.high;
      element.open_ended = true;
    }
    element.step = step;
    return element;
  }

  Result<int> parse_step(Token whole, Token step, int count, const std::string& of_what) const {
    if (!all_digits(step.text)) {
      return refuse(whole, in_backticks(whole.text) + " needs a step: a whole number after the `/`",
                    "for example `*/5`");
    }
    const std::optional<int> value = number(step.text);
    if (value == 0) {
      return refuse(step, "a step of 0 never moves", "use 1 to " + std::to_string(count));
    }
    if (!value || *value > count) {
      std::string hint = "use 1 to " + std::to_string(count);
      if (field_ == Field::kMinute) hint += ", or `@every " + std::string(step.text) + "m`";
      if (field_ == Field::kHour) hint += ", or `@every " + std::string(step.text) + "h`";
      return refuse(step,
                    "a step of " + std::string(step.text) + " is larger than " + of_what + " (" +
                        std::to_string(count) + " values)",
                    std::move(hint));
    }
    return *value;
  }

  // `L`, `L-n`, `LW`, `L-nW`, `nW`.
  Result<Element> parse_special_day(Token token) const {
    const bool weekday = ascii_upper(token.text.back()) == 'W';
    const Token body = weekday ? token.part(0, token.text.size() - 1) : token;
    if (weekday && body.text.empty()) {
      return refuse(token, "`W` needs a day before it", "for example `15W` or `LW`");
    }
    if (ascii_upper(token.text.front()) != 'L') {
      if (!all_digits(body.text)) return not_a_value(token);
      BELFRY_TRY(day, parse_value(body));
      return Element{.kind = Element::Kind::kNearestWeekday, .n = day, .span = token.span()};
    }
    int days_before = 0;
    if (body.text.size() > 1) {
      if (body.text[1] != '-' || !all_digits(body.text.substr(2))) return not_a_value(token);
      const std::optional<int> value = number(body.text.substr(2));
      if (!value || *value < 1 || *value > 30) {
        return refuse(body.part(2), "the number after `L-` is out of range 1-30");
      }
      days_before = *value;
    }
    return Element{.kind = weekday ? Element::Kind::kNearestLastMinus : Element::Kind::kLastMinus,
                   .n = days_before,
                   .span = token.span()};
  }

  // `dL` or `d#k`.
  Result<Element> parse_special_weekday(Token token) const {
    const std::size_t hash = token.text.find('#');
    if (hash == std::string_view::npos) {
      const Token day = token.part(0, token.text.size() - 1);
      if (day.text.empty()) {
        return refuse(token, "`L` needs a weekday before it here",
                      "`FRIL` is the last Friday of the month, `L` in day-of-month its last day");
      }
      if (day.contains('-')) return no_special_range(token);
      BELFRY_TRY(value, parse_value(day));
      return Element{.kind = Element::Kind::kLastWeekday, .first = value % 7, .span = token.span()};
    }
    const Token day = token.part(0, hash);
    const Token nth = token.part(hash + 1);
    if (day.text.empty()) {
      return refuse(token, "`#` needs a weekday before it", "for example `MON#1`");
    }
    if (day.contains('-')) return no_special_range(token);
    BELFRY_TRY(value, parse_value(day));
    const std::optional<int> k = all_digits(nth.text) ? number(nth.text) : std::nullopt;
    if (!k || *k < 1 || *k > 5) {
      return refuse(nth, "the number after `#` must be 1 to 5",
                    "`MON#1` is the first Monday of the month, `MONL` the last");
    }
    return Element{
        .kind = Element::Kind::kNthWeekday, .first = value % 7, .n = *k, .span = token.span()};
  }

  tl::unexpected<Error> no_special_range(Token token) const {
    return refuse(token, in_backticks(token.text) + ": a range cannot be combined with `L` or `#`",
                  "write a list, for example `MON#2,TUE#2`");
  }

  // `H`, `H/s`, `H(a-b)`, `H(a-b)/s`.
  Result<Element> parse_hash(Token token) const {
    if (field_ == Field::kYear) return refuse(token, "`H` cannot stand for a year");
    int low = info_.low;
    int high = is_day_of_month() ? 28 : info_.high;  // a day every month has
    std::size_t at = 1;
    if (at < token.text.size() && token.text[at] == '(') {
      const std::size_t close = token.text.find(')', at);
      if (close == std::string_view::npos) return refuse(token, "the `(` after `H` is not closed");
      const Token inside = token.part(at + 1, close - at - 1);
      if (!inside.contains('-')) {
        return refuse(inside, "`H(...)` needs a range", "for example `H(0-29)`");
      }
      BELFRY_TRY(range, parse_range(inside, token));
      low = range.first;
      high = range.last;
      at = close + 1;
    }
    const int count = high - low + 1;
    int step = 0;
    if (at < token.text.size() && token.text[at] == '/') {
      BELFRY_TRY(parsed, parse_step(token, token.part(at + 1), count, "the range of `H`"));
      step = parsed;
    } else if (at < token.text.size()) {
      return not_a_value(token);
    }
    return hashed_element(token, low, high, step);
  }

  Element hashed_element(Token token, int low, int high, int step) const {
    const std::uint64_t hash = hash_for_field(context_.hash_key, field_);
    const auto modulus = static_cast<std::uint64_t>(step > 0 ? step : high - low + 1);
    const int first = low + static_cast<int>(hash % modulus);
    return {.kind = Element::Kind::kRange,
            .first = first,
            .last = step > 0 ? high : first,
            .step = step > 0 ? step : 1,
            .hashed = true,
            .span = token.span()};
  }

  bool is_name(Token token) const {
    return std::any_of(info_.names.begin(), info_.names.end(), [&](std::string_view name) {
      return equal_ignoring_case(name, token.text);
    });
  }

  // A number or name, in standard terms; weekday 7 stays 7 (only the end of a range may keep it).
  Result<int> parse_value(Token token) const {
    if (token.text.empty()) {
      return refuse(token, "a value is missing", "expected " + range_in_words());
    }
    for (std::size_t i = 0; i < info_.names.size(); ++i) {
      if (equal_ignoring_case(info_.names[i], token.text)) return info_.low + static_cast<int>(i);
    }
    if (!all_digits(token.text)) return not_a_value(token);
    const std::optional<int> value = number(token.text);
    if (!value || *value < written_low() || *value > written_high()) return out_of_range(token);
    return *value - numbering();
  }

  tl::unexpected<Error> out_of_range(Token token) const {
    std::string hint;
    if (field_ == Field::kHour && token.text == "24") hint = "midnight is 0";
    if ((field_ == Field::kMinute || field_ == Field::kSecond) && token.text == "60") {
      hint = "the full " + std::string(field_ == Field::kMinute ? "hour" : "minute") + " is 0";
    }
    if (hint.empty() && context_.fields_written == 6) {
      hint = "with six fields the first is the second";
    }
    return refuse(token,
                  std::string(token.text.substr(0, 20)) + " is out of range " + range_in_words(),
                  std::move(hint));
  }

  tl::unexpected<Error> not_a_value(Token token) const {
    constexpr std::size_t kLongestQuote = 20;
    const std::string_view text = token.text.substr(0, kLongestQuote);
    std::string hint = "expected " + range_in_words();
    if (!info_.names.empty() && token.text.size() > 3 && is_name(token.part(0, 3))) {
      hint = "names have three letters: " + in_backticks(in_capitals(token.text.substr(0, 3)));
    } else if (const std::string near = closest(token.text, info_.names); !near.empty()) {
      hint = "did you mean " + in_backticks(near) + "?";
    } else if (token.text.front() == '*') {
      hint = "did you mean `*/" + std::string(text.substr(1)) + "`?";
      if (!all_digits(text.substr(1))) hint = "expected " + range_in_words();
    }
    return refuse(token, in_backticks(text) + " is not a " + std::string(info_.value),
                  std::move(hint));
  }

  // Up to six digits; more is out of every range.
  static std::optional<int> number(std::string_view digits) {
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    if (digits.size() > 6) return std::nullopt;
    int value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
  }

  Field field_;
  const FieldInfo& info_;
  FieldContext context_;
};

}  // namespace

Result<FieldSyntax> parse_field(Token token, Field field, const FieldContext& context) {
  return FieldParser(field, context).parse(token);
}

}  // namespace belfry::core
