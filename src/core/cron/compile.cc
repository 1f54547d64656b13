#include "core/cron/compile.h"

namespace belfry::core {
namespace {

// The values of the plain elements of a field, as bits. Elements of other kinds add none.
std::uint64_t value_bits(const FieldSyntax& field) {
  std::uint64_t bits = 0;
  for (const Element& element : field.elements) {
    const bool plain = element.kind == Element::Kind::kAll || element.kind == Element::Kind::kRange;
    if (!plain) continue;
    for (int value = element.first; value <= element.last; value += element.step) {
      bits |= std::uint64_t{1} << value;
    }
  }
  return bits;
}

YearSet year_bits(const FieldSyntax& field) {
  YearSet years;
  for (const Element& element : field.elements) {
    for (int year = element.first; year <= element.last; year += element.step) {
      years.set(static_cast<std::size_t>(year - kFirstYear));
    }
  }
  return years;
}

void add_special(const Element& element, DayRule& rule) {
  const std::uint32_t n = 1U << element.n;
  const auto weekday = static_cast<std::uint8_t>(1U << element.first);
  switch (element.kind) {
    case Element::Kind::kLastMinus: rule.last_minus |= n; return;
    case Element::Kind::kNearestWeekday: rule.nearest_weekday |= n; return;
    case Element::Kind::kNearestLastMinus: rule.nearest_last_minus |= n; return;
    case Element::Kind::kLastWeekday: rule.last_weekdays |= weekday; return;
    case Element::Kind::kNthWeekday:
      rule.nth_weekdays[static_cast<std::size_t>(element.n - 1)] |= weekday;
      return;
    case Element::Kind::kAll:
    case Element::Kind::kRange: return;
  }
}

DayRule compile_days(const FieldSyntax& day_of_month, const FieldSyntax& day_of_week) {
  DayRule rule;
  rule.day_of_month_open = day_of_month.open();
  rule.day_of_week_open = day_of_week.open();
  // An open field picks no days of its own, so that two spellings of one rule compare equal.
  if (!rule.day_of_month_open) rule.days = static_cast<std::uint32_t>(value_bits(day_of_month));
  if (!rule.day_of_week_open) {
    const std::uint64_t bits = value_bits(day_of_week);
    rule.weekdays = static_cast<std::uint8_t>((bits | bits >> 7) & 0x7f);  // 7 is Sunday, too
  }
  for (const Element& element : day_of_month.elements) add_special(element, rule);
  for (const Element& element : day_of_week.elements) add_special(element, rule);
  return rule;
}

}  // namespace

CronExpression compile(const CronSyntax& syntax) {
  CronExpression expression;
  const FieldSyntax& seconds = syntax[Field::kSecond];
  if (seconds.written()) expression.seconds = value_bits(seconds);
  expression.minutes = value_bits(syntax[Field::kMinute]);
  expression.hours = static_cast<std::uint32_t>(value_bits(syntax[Field::kHour]));
  expression.months = static_cast<std::uint16_t>(value_bits(syntax[Field::kMonth]));
  expression.days = compile_days(syntax[Field::kDayOfMonth], syntax[Field::kDayOfWeek]);
  if (syntax[Field::kYear].written()) expression.years = year_bits(syntax[Field::kYear]);
  expression.is_interval = seconds.begins_with_star() ||
                           syntax[Field::kMinute].begins_with_star() ||
                           syntax[Field::kHour].begins_with_star();
  return expression;
}

Result<CronExpression> parse_expression(std::string_view text, Dialect dialect,
                                        std::string_view hash_key) {
  BELFRY_TRY(syntax, parse_syntax(text, dialect, hash_key));
  return compile(syntax);
}

}  // namespace belfry::core
