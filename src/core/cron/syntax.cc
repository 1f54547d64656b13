#include "core/cron/syntax.h"

#include "core/cron/field_parser.h"
#include "core/cron/token.h"
#include "core/suggest.h"

#include <array>
#include <utility>

namespace belfry::core {
namespace {

tl::unexpected<Error> refuse_all(std::string_view text, std::string message, std::string hint) {
  return fail(Error{.code = Errc::kInvalid,
                    .message = std::move(message),
                    .field = "cron expression",
                    .hint = std::move(hint),
                    .span = TextSpan{0, text.size()}});
}

struct Macro {
  std::string_view name;
  std::string_view fields;
};
constexpr std::array<Macro, 7> kMacros{{{"@yearly", "0 0 1 1 *"},
                                        {"@annually", "0 0 1 1 *"},
                                        {"@monthly", "0 0 1 * *"},
                                        {"@weekly", "0 0 * * 0"},
                                        {"@daily", "0 0 * * *"},
                                        {"@midnight", "0 0 * * *"},
                                        {"@hourly", "0 * * * *"}}};

Result<CronSyntax> parse_macro(std::string_view text, std::string_view name) {
  for (const Macro& macro : kMacros) {
    if (!equal_ignoring_case(macro.name, name)) continue;
    BELFRY_TRY(syntax, parse_syntax(macro.fields, Dialect::kStandard, {}));
    return syntax;
  }
  if (equal_ignoring_case(name, "@reboot")) {
    return refuse_all(text, "`@reboot` is not a time", "start the command when the system boots");
  }
  std::vector<std::string_view> names{"@every"};
  for (const Macro& macro : kMacros) names.push_back(macro.name);
  const std::string near = closest(name, names);
  return refuse_all(text, "`" + std::string(name.substr(0, 20)) + "` is not a known shorthand",
                    near.empty() ? "use @yearly, @monthly, @weekly, @daily, @hourly or @every"
                                 : "did you mean `" + near + "`?");
}

std::vector<Token> split_fields(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end])) ++end;
    tokens.push_back({text.substr(at, end - at), at});
    at = end;
  }
  return tokens;
}

Status check_field_count(std::string_view text, std::size_t count, Dialect dialect) {
  const bool quartz = dialect == Dialect::kQuartz;
  if (count == 6 || count == 7 || (count == 5 && !quartz)) return {};
  if (count == 0) return refuse_all(text, "is empty", "for example `*/15 * * * *`");
  return refuse_all(
      text, "has " + std::to_string(count) + (count == 1 ? " field" : " fields"),
      quartz
          ? "the Quartz dialect needs 6 (second minute hour day-of-month month day-of-week) or 7 "
            "(with a year at the end)"
          : "needs 5 (minute hour day-of-month month day-of-week), 6 (with a leading second) or "
            "7 (with a year at the end)");
}

Status check_text(std::string_view text) {
  if (text.size() > kLongestExpression) {
    return refuse_all({}, "is longer than " + std::to_string(kLongestExpression) + " characters",
                      "use ranges and steps instead of long lists");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\t') || c == 0x7f) {
      return fail(Error{.code = Errc::kInvalid,
                        .message = "contains a control character",
                        .field = "cron expression",
                        .hint = "separate fields by blanks",
                        .span = TextSpan{i, 1}});
    }
  }
  return {};
}

}  // namespace

bool FieldSyntax::open() const {
  if (elements.size() != 1) return !written();
  const Element& only = elements.front();
  // Exactly `*/1`, three characters: the text decides, so `*/01` counts as a restriction.
  return only.kind == Element::Kind::kAll || (only.star && only.step == 1 && span.length == 3);
}

Result<CronSyntax> parse_syntax(std::string_view text, Dialect dialect, std::string_view hash_key) {
  BELFRY_CHECK(check_text(text));
  const std::vector<Token> tokens = split_fields(text);
  if (!tokens.empty() && tokens.front().text.front() == '@') {
    if (tokens.size() == 1) return parse_macro(text, tokens.front().text);
    return refuse_all(text, "a shorthand such as `@daily` stands alone", "remove what follows it");
  }
  BELFRY_CHECK(check_field_count(text, tokens.size(), dialect));
  CronSyntax syntax{.dialect = dialect, .fields = {}};
  const FieldContext context{
      .fields_written = tokens.size(), .dialect = dialect, .hash_key = hash_key};
  auto field = static_cast<std::size_t>(tokens.size() == 5 ? Field::kMinute : Field::kSecond);
  for (const Token& token : tokens) {
    BELFRY_TRY(parsed, parse_field(token, static_cast<Field>(field), context));
    syntax.fields[field++] = std::move(parsed);
  }
  const bool one_day_field_open =
      syntax[Field::kDayOfMonth].open() || syntax[Field::kDayOfWeek].open();
  if (dialect == Dialect::kQuartz && !one_day_field_open) {
    return fail(Error{.code = Errc::kInvalid,
                      .message = "both day fields are restricted, which the Quartz dialect forbids",
                      .field = std::string(info_of(Field::kDayOfWeek).name),
                      .hint = "put `?` into one of day-of-month and day-of-week",
                      .span = syntax[Field::kDayOfWeek].span});
  }
  return syntax;
}

}  // namespace belfry::core
