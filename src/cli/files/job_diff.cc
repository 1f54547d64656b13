#include "cli/files/job_diff.h"

#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "base/verbatim.h"
#include "cli/files/payload_text.h"
#include "core/target_secrets.h"

#include <array>
#include <string_view>

namespace belfry::cli {
namespace {

// What the server adds is not part of a definition. The region is given once, at creation.
constexpr std::array<const char*, 11> kReadOnly{
    "job_id",     "tenant_id",  "status",      "version",  "paused",           "next_scheduled_run",
    "created_at", "updated_at", "home_region", "last_run", "failures_in_a_row"};
constexpr std::array<const char*, 6> kDurations{"every",         "jitter",       "timeout",
                                                "misfire_grace", "start_within", "stop_within"};
constexpr std::array<const char*, 3> kInstants{"run_at", "start_at", "end_at"};

// In the order a person reads them.
Json defaults() {
  return {{"job_name", nullptr},
          {"schedule_type", nullptr},
          {"cron_expression", nullptr},
          {"every", nullptr},
          {"run_at", nullptr},
          {"timezone", "UTC"},
          {"dialect", "standard"},
          {"dst_gap", "RUN_AFTER"},
          {"dst_overlap", "FIRST"},
          {"start_at", nullptr},
          {"end_at", nullptr},
          {"jitter", nullptr},
          {"calendar", nullptr},
          {"calendar_policy", "SKIP"},
          {"job_type", "default"},
          {"target", {{"kind", "WORKER"}}},
          {"payload", nullptr},
          {"max_attempts", 3},
          {"retry", {{"base", "5s"}, {"cap", "5m"}}},
          {"timeout", "5m"},
          {"concurrency_policy", "FORBID"},
          {"max_concurrent", 0},
          {"misfire_policy", "FIRE_ONCE"},
          {"misfire_grace", "1h"},
          {"start_within", "1d"},
          {"stop_within", "30s"},
          {"max_missed_firings", 1'000},
          {"priority", 0},
          {"run_in", "home"},
          {"labels", Json::object()},
          {"description", ""}};
}

// What is usual where the work is done elsewhere and only reports.
void use_checkin_defaults(Json& job) {
  job.update(
      {{"max_attempts", 1}, {"misfire_policy", "SKIP"}, {"start_within", "1h"}, {"timeout", "1h"}});
}

bool is_checkin(const Json& job) {
  const auto target = job.find("target");
  return target != job.end() && target->is_object() && target->value("kind", "") == "CHECKIN";
}

void normalise_duration(Json& object, const char* name) {
  if (!object.contains(name) || !object[name].is_string()) return;
  if (const auto duration = parse_duration(object[name].get<std::string>())) {
    object[name] = format_duration(*duration);
  }
}

// What a job of its type has that does not say. A check-in is tried once, whatever its type says.
void use_type_defaults(const Json& given, const Json& types, Json& job) {
  const auto said = given.find("job_type");
  const bool is_said = said != given.end() && said->is_string();
  const std::string name = is_said ? said->get<std::string>() : "default";
  for (const Json& type : types) {
    if (type.value("job_type", "") != name) continue;
    for (const auto& [field, value] : type.at("defaults").items()) {
      if (field == "max_attempts" && is_checkin(given)) continue;
      job[field] = value;
      normalise_duration(job, field.c_str());
    }
  }
}

void normalise_instant(Json& object, const char* name) {
  if (!object.contains(name) || !object[name].is_string()) return;
  if (const auto instant = parse_instant(object[name].get<std::string>())) {
    object[name] = format_instant(*instant);
  }
}

void replace_short_forms(Json& job) {
  if (job.contains("handler_url") && !job.contains("target")) {
    job["target"] = {{"kind", "HTTP"}, {"url", job["handler_url"]}};
    job.erase("handler_url");
  }
  if (job.contains("allow_overlap") && !job.contains("concurrency_policy")) {
    job["concurrency_policy"] = job["allow_overlap"] == true ? "ALLOW" : "FORBID";
    job.erase("allow_overlap");
  }
  if (job.contains("schedule_type") && !job["schedule_type"].is_null()) return;
  const bool once = job.contains("run_at") || job.contains("delay");
  job["schedule_type"] = job.contains("every") ? "EVERY" : once ? "ONCE" : "CRON";
}

Json without_nulls(const Json& object) {
  Json result = Json::object();
  for (const auto& [name, value] : object.items()) {
    if (!value.is_null()) result[name] = value;
  }
  return result;
}

// Which secret it is, the server does not tell, and a difference is no place to show one.
Json without_secrets(Json job) {
  if (const auto target = job.find("target"); target != job.end()) {
    core::visit_secrets(
        *target, [](const std::string&, std::string& value) { value = core::kHiddenSecret; });
  }
  return job;
}

// The order of an object's fields means nothing.
bool is_same(const Json& a, const Json& b) {
  return a == b || nlohmann::json(a) == nlohmann::json(b);
}

void compare(const std::string& field, const Json& before, const Json& after,
             std::vector<FieldChange>& changes) {
  if (field == "payload" ? write_json(before) == write_json(after) : is_same(before, after)) return;
  if (!before.is_object() || !after.is_object() || field == "payload") {
    changes.push_back({field, before, after});
    return;
  }
  const std::string prefix = field.empty() ? "" : field + ".";
  for (const auto& [name, value] : before.items()) {
    compare(prefix + name, value, after.contains(name) ? after[name] : Json(), changes);
  }
  for (const auto& [name, value] : after.items()) {
    if (!before.contains(name)) compare(prefix + name, Json(), value, changes);
  }
}

std::string shown(const Json& value) {
  if (value.is_null()) return "none";
  return value.is_string() ? value.get<std::string>() : write_json(value);
}

}  // namespace

Json normalised(const Json& definition, const Json& types) {
  Json given = without_nulls(definition);
  replace_short_forms(given);
  Json job = defaults();
  if (is_checkin(given)) use_checkin_defaults(job);
  use_type_defaults(given, types, job);
  for (const auto& [name, value] : given.items()) {
    if (name == "retry" && value.is_object()) {
      job[name].update(value);
    } else {
      job[name] = value;
    }
  }
  for (const char* name : kReadOnly) job.erase(name);
  for (const char* name : kDurations) normalise_duration(job, name);
  for (const char* name : kInstants) normalise_instant(job, name);
  for (const char* name : {"base", "cap"}) normalise_duration(job["retry"], name);
  if (job["jitter"] == "0s") job["jitter"] = nullptr;
  Json& target = job["target"];
  if (target.is_object() && target.value("kind", "") == "HTTP") {
    if (!target.contains("method")) target["method"] = "POST";
    if (target.contains("headers") && target["headers"].empty()) target.erase("headers");
  }
  return without_nulls(job);
}

Json written(const Json& job, const Json& types) {
  Json result = Json::object();
  Json standard = normalised({{"schedule_type", "CRON"}});
  if (is_checkin(job)) use_checkin_defaults(standard);
  use_type_defaults(job, types, standard);
  const Json whole = normalised(job);
  for (const auto& [name, value] : whole.items()) {
    const bool is_default = standard.contains(name) && is_same(standard[name], value);
    if (!is_default && name != "schedule_type") result[name] = value;
  }
  const std::string region = job.value("home_region", "default");
  if (region != "default") result["home_region"] = region;
  show_payload(result);
  return result;
}

std::string to_string(const FieldChange& change) {
  return change.field + "  " + shown(change.before) + " → " + shown(change.after);
}

std::vector<FieldChange> changes_between(const Json& before, const Json& after) {
  std::vector<FieldChange> changes;
  compare("", without_secrets(before), without_secrets(after), changes);
  return changes;
}

}  // namespace belfry::cli
