#include "api/alerts/alert_codec.h"

#include "api/jobs/target_codec.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/target_secrets.h"
#include "net/url.h"

#include <algorithm>
#include <array>
#include <optional>

namespace belfry::api {
namespace {

using core::AlertWhen;

constexpr std::size_t kMostReceivers = 10;
constexpr Duration kLongest = std::chrono::days(30);

bool looks_like_address(const std::string& text) {
  const std::size_t at = text.find('@');
  return at != 0 && at != std::string::npos && at + 1 < text.size() &&
         text.find_first_of(" <>,;\r\n\t") == std::string::npos;
}

std::string read_mail(const Json& target, const std::string& pointer,
                      std::vector<Complaint>& complaints) {
  ObjectReader reader(target, pointer, complaints);
  reader.text("kind", 64);
  reader.require("to", R"(say to whom: "to": ["ops@example.com"])");
  const auto to = reader.texts("to", 20, 254).value_or(std::vector<std::string>());
  if (reader.has("to") && to.empty()) reader.complain("to", "invalid", "it must not be empty");
  for (const std::string& one : to) {
    if (!looks_like_address(one)) {
      reader.complain("to", "invalid", "`" + one + "` is not an address of the form name@host");
    }
  }
  reader.refuse_others();
  return write_json({{"kind", "MAIL"}, {"to", to}});
}

std::string origin_of(const Json& target) {
  const auto url = net::Url::parse(target.value("url", ""));
  return url ? url->scheme + "://" + url->authority() : "";
}

// Slack knows callers by the path of the URL, so it is a secret: one that is sent back hidden is
// the one that is kept, for the same host.
void keep_path(Json& target, const std::string& pointer, const std::string& before,
               std::vector<Complaint>& complaints) {
  if (!target.contains("url") || !target["url"].is_string()) return;
  const std::string hidden = origin_of(target) + "/" + std::string(core::kHiddenSecret);
  if (target["url"] != hidden) return;
  const auto old = parse_json(before);
  if (old && old->is_object() && old->value("form", "") == "slack" &&
      origin_of(*old) == origin_of(target)) {
    target["url"] = (*old)["url"];
    return;
  }
  complaints.push_back({pointer + "/url", "invalid", "there is no URL there that could be kept",
                        "write the whole URL"});
}

// An HTTP receiver may have a form beside what any webhook has.
std::string read_webhook(Json target, const std::string& pointer, const std::string& before,
                         std::vector<Complaint>& complaints) {
  std::string form;
  if (const auto found = target.find("form"); found != target.end()) {
    form = found->is_string() ? found->get<std::string>() : "?";
    if (form != "slack") {
      complaints.push_back({pointer + "/form", "invalid", "a form is `slack`, or left out", ""});
    }
    target.erase("form");
  }
  if (form == "slack") keep_path(target, pointer, before, complaints);
  std::string kept = read_target(target, pointer, before, complaints);
  if (form.empty()) return kept;
  auto json = parse_json(kept);
  if (!json) return kept;
  (*json)["form"] = form;
  return write_json(*json);
}

std::string read_receiver(const Json& target, const std::string& pointer, const std::string& before,
                          std::vector<Complaint>& complaints) {
  const auto found = target.is_object() ? target.find("kind") : target.end();
  const std::string kind = target.is_object() && found != target.end() && found->is_string()
                               ? found->get<std::string>()
                               : "";
  if (kind == "MAIL") return read_mail(target, pointer, complaints);
  if (kind == "HTTP") return read_webhook(target, pointer, before, complaints);
  if (kind == "TOPIC") return read_target(target, pointer, "", complaints);
  complaints.push_back(
      {pointer + "/kind", "invalid", "a receiver's kind is HTTP, MAIL or TOPIC", ""});
  return "{}";
}

void read_receivers(ObjectReader& body, const std::vector<std::string>& before,
                    core::AlertRule& rule, std::vector<Complaint>& complaints) {
  const Json* to = body.array("to");
  if (to == nullptr) return;
  if (to->empty() || to->size() > kMostReceivers) {
    body.complain("to", "invalid", "a rule has 1 to 10 receivers");
    return;
  }
  for (std::size_t i = 0; i < to->size(); ++i) {
    rule.receivers.push_back(read_receiver((*to)[i], body.pointer("to") + "/" + std::to_string(i),
                                           i < before.size() ? before[i] : "", complaints));
  }
}

// What each condition goes by, unless told otherwise.
void preset(core::AlertRule& rule) {
  switch (rule.when) {
    case AlertWhen::kFailedInARow: rule.count = 3; break;
    case AlertWhen::kFailures:
      rule.count = 3;
      rule.window = std::chrono::hours(1);
      break;
    case AlertWhen::kNotStarted: rule.after = std::chrono::minutes(5); break;
    case AlertWhen::kLate:
    case AlertWhen::kNoWorker: rule.after = std::chrono::minutes(1); break;
    case AlertWhen::kClockOffset: rule.after = std::chrono::seconds(2); break;
    case AlertWhen::kRunning:
    case AlertWhen::kMissed:
    case AlertWhen::kScheduleBroken:
    case AlertWhen::kDeadLetters: break;
  }
}

// A field that the condition does not go by would say nothing: it is refused.
void refuse_idle(ObjectReader& body, AlertWhen when) {
  const bool counts = when == AlertWhen::kFailedInARow || when == AlertWhen::kFailures ||
                      when == AlertWhen::kDeadLetters;
  const bool waits = when == AlertWhen::kNotStarted || when == AlertWhen::kLate ||
                     when == AlertWhen::kRunning || when == AlertWhen::kNoWorker ||
                     when == AlertWhen::kClockOffset;
  const bool has_jobs = when != AlertWhen::kClockOffset;
  const std::array<std::pair<const char*, bool>, 7> fields{
      {{"count", counts},
       {"window", when == AlertWhen::kFailures},
       {"after", waits},
       {"times_usual", when == AlertWhen::kRunning},
       {"job", has_jobs},
       {"job_type", has_jobs},
       {"labels", has_jobs}}};
  for (const auto& [name, fits] : fields) {
    if (fits || !body.has(name)) continue;
    body.complain(
        name, "invalid",
        "`" + std::string(core::word_for(when, core::kAlertWhens)) + "` does not go by this");
  }
  if (when == AlertWhen::kRunning && body.has("after") == body.has("times_usual")) {
    body.complain("after", "invalid", "give `after` or `times_usual`, one of them");
  }
}

// What is wrong with them is told also where `when` is wrong, and nothing is known to fit.
void read_measures(ObjectReader& body, std::optional<AlertWhen> when, core::AlertRule& rule) {
  const std::int64_t least = !when || when == AlertWhen::kDeadLetters ? 0 : 1;
  if (const auto count = body.integer("count", least, 1'000)) rule.count = *count;
  if (const auto window = body.duration("window", std::chrono::seconds(1), kLongest)) {
    rule.window = *window;
  }
  if (const auto after = body.duration("after", std::chrono::seconds(1), kLongest)) {
    rule.after = *after;
  }
  if (const auto times = body.integer("times_usual", 2, 100)) rule.times_usual = *times;
  if (when) refuse_idle(body, *when);
}

Json receivers_of(const core::AlertRule& rule) {
  Json to = Json::array();
  for (const std::string& receiver : rule.receivers) to.push_back(core::shown_target(receiver));
  return to;
}

}  // namespace

core::AlertScope read_alert_scope(ObjectReader& body) {
  core::AlertScope scope;
  scope.job = body.text("job", 200).value_or("");
  scope.job_type = body.text("job_type", 200).value_or("");
  scope.labels = body.texts("labels", 20, 200).value_or(std::vector<std::string>());
  for (const std::string& label : scope.labels) {
    if (label.find('=') == std::string::npos) {
      body.complain("labels", "invalid", "`" + label + "` is not of the form key=value");
    }
  }
  return scope;
}

core::AlertRule read_alert_rule(const std::string& name, const Json& json,
                                const std::vector<std::string>& before,
                                std::vector<Complaint>& complaints) {
  core::AlertRule rule{.name = name};
  ObjectReader body(json, "", complaints);
  body.require("when", "for example \"failed_in_a_row\"");
  body.require("to", R"(for example [{"kind": "HTTP", "url": "https://…"}])");
  const auto when = body.word("when", core::kAlertWhens);
  if (when) {
    rule.when = *when;
    preset(rule);
  }
  read_measures(body, when, rule);
  rule.scope = read_alert_scope(body);
  rule.recovered = body.boolean("recovered").value_or(true);
  rule.group_wait = body.duration("group_wait", Duration::zero(), std::chrono::hours(1))
                        .value_or(std::chrono::seconds(10));
  rule.quiet_calendar = body.text("quiet_calendar", 200).value_or("");
  read_receivers(body, before, rule, complaints);
  body.refuse_others();
  return rule;
}

Json write_alert_rule(const store::AlertRuleRow& row) {
  const auto rule = core::read_alert_rule(row.name, row.definition);
  Json json{{"name", row.name}};
  if (rule) {
    json["when"] = core::word_for(rule->when, core::kAlertWhens);
    if (rule->count > 0 || rule->when == AlertWhen::kDeadLetters) json["count"] = rule->count;
    if (rule->window > Duration::zero()) json["window"] = format_duration(rule->window);
    if (rule->after > Duration::zero()) json["after"] = format_duration(rule->after);
    if (rule->times_usual > 0) json["times_usual"] = rule->times_usual;
    if (!rule->scope.job.empty()) json["job"] = rule->scope.job;
    if (!rule->scope.job_type.empty()) json["job_type"] = rule->scope.job_type;
    if (!rule->scope.labels.empty()) json["labels"] = rule->scope.labels;
    json["recovered"] = rule->recovered;
    json["group_wait"] = format_duration(rule->group_wait);
    if (!rule->quiet_calendar.empty()) json["quiet_calendar"] = rule->quiet_calendar;
    json["to"] = receivers_of(*rule);
  }
  json["created_at"] = format_instant(row.created_at);
  json["updated_at"] = format_instant(row.updated_at);
  json["updated_by"] = row.updated_by;
  return json;
}

Json write_alert(const store::AlertRow& alert) {
  Json json{{"id", alert.id},
            {"rule", alert.rule},
            {"subject", alert.subject},
            {"state", alert.resolved_at ? "RESOLVED" : "OPEN"},
            {"sentence", alert.sentence},
            {"quiet", alert.quiet},
            {"opened_at", format_instant(alert.opened_at)},
            {"resolved_at", alert.resolved_at ? Json(format_instant(*alert.resolved_at)) : Json()}};
  json["job_id"] = alert.job ? Json(core::write_job_id(*alert.job)) : Json();
  return json;
}

Json write_alert_message(const store::AlertMessageRow& message) {
  constexpr std::array<const char*, 3> kStates{"WAITING", "SENT", "FAILED"};
  const auto state = std::min<std::size_t>(static_cast<std::size_t>(message.state), 2);
  return {
      {"id", "alert_" + std::to_string(message.id)},
      {"rule", message.rule},
      {"to", core::shown_target(message.target)},
      {"state", kStates.at(state)},
      {"attempts", message.attempt},
      {"error", message.error},
      {"created_at", format_instant(message.created_at)},
      {"finished_at", message.finished_at ? Json(format_instant(*message.finished_at)) : Json()}};
}

Json write_alert_silence(const store::AlertSilenceRow& silence) {
  Json json{{"id", silence.id}};
  const auto definition = parse_json(silence.definition);
  if (definition && definition->is_object()) {
    const core::AlertScope scope =
        core::read_alert_scope(definition->value("scope", Json::object()));
    if (const std::string rule = definition->value("rule", ""); !rule.empty()) json["rule"] = rule;
    if (!scope.job.empty()) json["job"] = scope.job;
    if (!scope.job_type.empty()) json["job_type"] = scope.job_type;
    if (!scope.labels.empty()) json["labels"] = scope.labels;
    json["note"] = definition->value("note", "");
  }
  json["until"] = format_instant(silence.until);
  json["created_at"] = format_instant(silence.created_at);
  json["created_by"] = silence.created_by;
  return json;
}

}  // namespace belfry::api
