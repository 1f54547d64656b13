#include "core/bulk/job_selector.h"

#include "core/spelling.h"

#include <algorithm>

namespace belfry::core {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Error not_a_term(std::string_view text) {
  return {.code = Errc::kInvalid,
          .message = "`" + std::string(text) + "` does not select by a label",
          .hint = "write name=value, name!=value or name in (one,two)"};
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of("=, \n\t\r!()") == std::string_view::npos;
}

// `name in (a, b)`; none if the text is not of this form.
std::optional<LabelTerm> parse_membership(std::string_view text) {
  const auto open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {};
  const std::string_view head = trimmed(text.substr(0, open));
  if (!head.ends_with("in") || head.size() < 4 || head[head.size() - 3] != ' ') return {};
  LabelTerm term{.name = std::string(trimmed(head.substr(0, head.size() - 3)))};
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (true) {
    const auto comma = rest.find(',');
    term.values.emplace_back(trimmed(rest.substr(0, comma)));
    if (comma == std::string_view::npos) return term;
    rest = rest.substr(comma + 1);
  }
}

}  // namespace

Result<LabelTerm> parse_label_term(std::string_view text) {
  const std::string_view whole = trimmed(text);
  const auto equals = whole.find('=');
  const auto open = whole.find('(');
  if (open != std::string_view::npos && open < equals) {
    const auto term = parse_membership(whole);
    if (!term || !is_name(term->name)) return fail(not_a_term(text));
    return *term;
  }
  if (equals == std::string_view::npos) return fail(not_a_term(text));
  LabelTerm term;
  term.is_negated = equals > 0 && whole[equals - 1] == '!';
  term.name = trimmed(whole.substr(0, equals - (term.is_negated ? 1 : 0)));
  term.values.emplace_back(trimmed(whole.substr(equals + 1)));
  if (!is_name(term.name)) return fail(not_a_term(text));
  return term;
}

std::string to_string(const LabelTerm& term) {
  if (term.values.size() == 1) return term.name + (term.is_negated ? "!=" : "=") + term.values[0];
  std::string text = term.name + " in (";
  for (const std::string& value : term.values) {
    text += (&value == term.values.data() ? "" : ",") + value;
  }
  return text + ")";
}

Json write_selector(const JobSelector& selector) {
  Json json = Json::object();
  Json labels = Json::array();
  for (const LabelTerm& term : selector.labels) labels.push_back(to_string(term));
  if (!labels.empty()) json["labels"] = std::move(labels);
  if (!selector.name_prefix.empty()) json["name_prefix"] = selector.name_prefix;
  if (!selector.name_contains.empty()) json["name_contains"] = selector.name_contains;
  if (selector.status) json["status"] = word_for(*selector.status, kJobStatuses);
  if (selector.job_type) json["job_type"] = *selector.job_type;
  if (selector.failing) json["failing"] = true;
  if (json.empty()) json["all"] = true;
  return json;
}

Result<JobSelector> read_selector(std::string_view text) {
  BELFRY_TRY(json, parse_json(text));
  JobSelector selector;
  const Json labels = json.value("labels", Json::array());
  for (const Json& label : labels) {
    BELFRY_TRY(term, parse_label_term(label.get<std::string>()));
    selector.labels.push_back(std::move(term));
  }
  selector.name_prefix = json.value("name_prefix", "");
  selector.name_contains = json.value("name_contains", "");
  if (json.contains("status")) {
    selector.status = meaning_of(json["status"].get<std::string>(), kJobStatuses);
  }
  if (json.contains("job_type")) selector.job_type = json["job_type"].get<std::string>();
  selector.failing = json.value("failing", false);
  return selector;
}

std::string label_terms_json(const JobSelector& selector) {
  Json terms = Json::array();
  for (const LabelTerm& term : selector.labels) {
    terms.push_back({{"name", term.name}, {"negated", term.is_negated}, {"among", term.values}});
  }
  return write_json(terms);
}

}  // namespace belfry::core
