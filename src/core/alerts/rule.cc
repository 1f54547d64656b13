#include "core/alerts/rule.h"

namespace belfry::core {
namespace {

template <typename T>
T value_in(const Json& json, const char* name, T otherwise) {
  const auto found = json.find(name);
  if (found == json.end()) return otherwise;
  if constexpr (std::is_same_v<T, std::string>) {
    return found->is_string() ? found->get<std::string>() : otherwise;
  } else if constexpr (std::is_same_v<T, bool>) {
    return found->is_boolean() ? found->get<bool>() : otherwise;
  } else {
    return found->is_number_integer() ? found->get<T>() : otherwise;
  }
}

Duration duration_in(const Json& json, const char* name) {
  return Duration(value_in<std::int64_t>(json, name, 0));
}

}  // namespace

Json write_alert_scope(const AlertScope& scope) {
  return {{"job", scope.job}, {"job_type", scope.job_type}, {"labels", scope.labels}};
}

AlertScope read_alert_scope(const Json& json) {
  AlertScope scope;
  scope.job = value_in<std::string>(json, "job", "");
  scope.job_type = value_in<std::string>(json, "job_type", "");
  const auto labels = json.find("labels");
  if (labels == json.end() || !labels->is_array()) return scope;
  for (const Json& label : *labels) {
    if (label.is_string()) scope.labels.push_back(label.get<std::string>());
  }
  return scope;
}

std::string write_alert_rule(const AlertRule& rule) {
  Json receivers = Json::array();
  for (const std::string& receiver : rule.receivers) {
    if (auto target = parse_json(receiver)) receivers.push_back(*std::move(target));
  }
  return write_json({{"when", word_for(rule.when, kAlertWhens)},
                     {"count", rule.count},
                     {"window", rule.window.count()},
                     {"after", rule.after.count()},
                     {"times_usual", rule.times_usual},
                     {"scope", write_alert_scope(rule.scope)},
                     {"recovered", rule.recovered},
                     {"group_wait", rule.group_wait.count()},
                     {"quiet_calendar", rule.quiet_calendar},
                     {"receivers", std::move(receivers)}});
}

Result<AlertRule> read_alert_rule(const std::string& name, const std::string& definition) {
  BELFRY_TRY(json, parse_json(definition));
  const auto when = meaning_of(value_in<std::string>(json, "when", ""), kAlertWhens);
  if (!json.is_object() || !when) {
    return fail(Errc::kInvalid, "the alert rule `" + name + "` cannot be read");
  }
  AlertRule rule{.name = name, .when = *when};
  rule.count = value_in<std::int64_t>(json, "count", 0);
  rule.window = duration_in(json, "window");
  rule.after = duration_in(json, "after");
  rule.times_usual = value_in<std::int64_t>(json, "times_usual", 0);
  rule.scope = read_alert_scope(json.value("scope", Json::object()));
  rule.recovered = value_in<bool>(json, "recovered", true);
  rule.group_wait = duration_in(json, "group_wait");
  rule.quiet_calendar = value_in<std::string>(json, "quiet_calendar", "");
  for (const Json& receiver : json.value("receivers", Json::array())) {
    rule.receivers.push_back(write_json(receiver));
  }
  return rule;
}

}  // namespace belfry::core
