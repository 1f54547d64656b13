#include "core/schedule/calendar.h"

#include "core/cron/compile.h"
#include "core/schedule/civil.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace belfry::core {
namespace {

constexpr std::size_t kMostRules = 5'000;

tl::unexpected<Error> refuse_rule(std::string_view rule, std::string message, std::string hint) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = "`" + std::string(rule.substr(0, 40)) + "` " + std::move(message),
                    .field = "calendar",
                    .hint = std::move(hint),
                    .span = TextSpan{0, rule.size()}});
}

// A date written like `2026-12-25`; none for any other shape, or a date that does not exist.
std::optional<std::int64_t> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t length) {
    int value = 0;
    for (const char c : text.substr(at, length)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const CivilDate date{number(0, 4), number(5, 2), number(8, 2)};
  if (date.year < kFirstYear || date.year > kLastYear) return std::nullopt;
  if (date.month < 1 || date.month > 12) return std::nullopt;
  if (date.day < 1 || date.day > days_in_month(date.year, date.month)) return std::nullopt;
  return days_from_civil(date);
}

bool looks_like_a_date(std::string_view text) {
  return text.size() >= 4 && std::all_of(text.begin(), text.begin() + 4,
                                         [](unsigned char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<Calendar> Calendar::make(std::string name, std::span<const std::string> rules,
                                ZoneCatalog& zones) {
  Calendar calendar;
  calendar.name_ = std::move(name);
  if (rules.size() > kMostRules) {
    return fail(Error{.code = Errc::kInvalid,
                      .message = "has more than " + std::to_string(kMostRules) + " rules",
                      .field = "calendar",
                      .hint = "join neighbouring dates: `2026-12-24..2027-01-02`"});
  }
  for (const std::string& rule : rules) BELFRY_CHECK(calendar.add(rule, zones));
  calendar.windows_.seal();
  std::vector<Stretch>& stretches = calendar.stretches_;
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
  std::vector<Stretch> joined;
  for (const Stretch& stretch : stretches) {
    if (!joined.empty() && stretch.first <= joined.back().last + 1) {
      joined.back().last = std::max(joined.back().last, stretch.last);
    } else {
      joined.push_back(stretch);
    }
  }
  stretches = std::move(joined);
  return calendar;
}

Status Calendar::add(std::string_view rule, ZoneCatalog& zones) {
  if (rule.find('\n') != std::string_view::npos) {
    return refuse_rule(rule, "has a line break in it", "make each rule an entry of its own");
  }
  if (Windows::is_window(rule)) return windows_.add(rule, zones);
  if (looks_like_a_date(rule)) {
    const std::size_t dots = rule.find("..");
    const auto first = parse_date(rule.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : parse_date(rule.substr(dots + 2));
    if (!first || !last) {
      return refuse_rule(rule, "is not a date that exists",
                         "write `2026-12-25` or `2026-12-24..2027-01-02`");
    }
    if (*last < *first) return refuse_rule(rule, "ends before it begins", "swap the two dates");
    stretches_.push_back({*first, *last});
    return {};
  }
  // What is left is day fields: of a cron expression at midnight, all three or the weekday alone.
  const bool three_fields = rule.find_first_of(" \t") != std::string_view::npos;
  const auto expression =
      parse_expression((three_fields ? "0 0 " : "0 0 * * ") + std::string(rule));
  if (!expression) {
    const Error& error = expression.error();
    return refuse_rule(
        rule, "is not a rule: " + to_string(error),
        "write a date, weekdays such as `SAT,SUN`, `day-of-month month day-of-week`, or "
        "a window such as `FRI 18:00..MON 06:00`");
  }
  day_fields_.push_back({expression->months, expression->days});
  return {};
}

bool Calendar::excludes(std::int64_t day) const {
  const auto after = std::upper_bound(
      stretches_.begin(), stretches_.end(), day,
      [](std::int64_t wanted, const Stretch& stretch) { return wanted < stretch.first; });
  if (after != stretches_.begin() && day <= std::prev(after)->last) return true;
  if (day_fields_.empty()) return false;
  const CivilDate date = civil_from_days(day);
  const int length = days_in_month(date.year, date.month);
  const int first_weekday = weekday_of(day - (date.day - 1));
  return std::any_of(day_fields_.begin(), day_fields_.end(), [&](const DayFields& fields) {
    return (fields.months >> date.month & 1U) != 0 &&
           (fields.days.in_month(length, first_weekday) >> date.day & 1U) != 0;
  });
}

std::string join_rules(std::span<const std::string> rules) {
  std::string text;
  for (const std::string& rule : rules) {
    if (!text.empty()) text += '\n';
    text += rule;
  }
  return text;
}

std::vector<std::string> split_rules(std::string_view text) {
  std::vector<std::string> rules;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    rules.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rules;
}

}  // namespace belfry::core
