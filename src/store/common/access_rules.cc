#include "store/common/access_rules.h"

#include "base/json.h"
#include "base/text/duration_text.h"
#include "base/text/instant_text.h"
#include "core/target_secrets.h"
#include "store/common/audit_chain.h"

namespace belfry::store {

namespace {

std::string object_of(const ApiKey& key) {
  return "key:" + std::to_string(key.id.value());
}
std::string object_of(const AlertSilenceRow& silence) {
  return "alert_silence:" + std::to_string(silence.id);
}

// ---- Things as the audit shows them. A JSON object each.

std::string shown(const Tenant& tenant) {
  return write_json({{"weight", tenant.weight},
                     {"max_in_flight", tenant.max_in_flight},
                     {"max_jobs", tenant.max_jobs},
                     {"max_requests", tenant.max_requests}});
}

std::string shown(const ApiKey& key) {
  Json json{{"scope", core::word_for(key.scope, kScopes)}, {"may_exec", key.may_exec}};
  if (key.expires_at) json["expires_at"] = format_instant(*key.expires_at);
  return write_json(json);
}

std::string shown(const CalendarRow& calendar) {
  return write_json({{"revision", calendar.revision}, {"rules", calendar.rules}});
}

std::string shown(const JobType& type) {
  Json json = Json::object();
  const core::TypeLimits& limits = type.limits;
  if (limits.max_concurrent > 0) json["max_concurrent"] = limits.max_concurrent;
  if (limits.starts > 0) {
    json["rate"] = core::write_rate(limits);
    json["burst"] = limits.burst;
  }
  const auto add = [&](const char* name, std::optional<Duration> value) {
    if (value) json[name] = format_duration(*value);
  };
  if (type.defaults.max_attempts) json["max_attempts"] = *type.defaults.max_attempts;
  add("timeout", type.defaults.timeout);
  add("start_within", type.defaults.start_within);
  add("misfire_grace", type.defaults.misfire_grace);
  return write_json(json);
}

// As it is kept, but for the secrets of its receivers.
std::string shown(const AlertRuleRow& rule) {
  auto json = parse_json(rule.definition);
  if (!json || !json->is_object()) return "{}";
  Json receivers = Json::array();
  for (const Json& receiver : json->value("receivers", Json::array())) {
    receivers.push_back(core::shown_target(write_json(receiver)));
  }
  (*json)["receivers"] = std::move(receivers);
  return write_json(*json);
}

std::string shown(const AlertSilenceRow& silence) {
  Json json = parse_json(silence.definition).value_or(Json::object());
  if (!json.is_object()) json = Json::object();
  json["until"] = format_instant(silence.until);
  return write_json(json);
}

template <typename Thing>
std::string shown(const std::optional<Thing>& thing) {
  return thing ? shown(*thing) : std::string();
}

Json object_in(const std::string& text) {
  const auto json = parse_json(text);
  return json && json->is_object() ? *json : Json::object();
}

// Leaves in both only what differs; returns the names.
Json keep_differences(Json& before, Json& after) {
  Json changed = Json::array();
  Json old = Json::object();
  Json fresh = Json::object();
  const auto look_at = [&](const std::string& name) {
    const bool was = before.contains(name);
    const bool is = after.contains(name);
    if (was && is && before[name] == after[name]) return;
    if (was) old[name] = before[name];
    if (is) fresh[name] = after[name];
    changed.push_back(name);
  };
  for (const auto& [name, value] : after.items()) look_at(name);
  for (const auto& [name, value] : before.items()) {
    if (!after.contains(name)) look_at(name);
  }
  before = std::move(old);
  after = std::move(fresh);
  return changed;
}

}  // namespace

std::string detail_of(const AuditNote& note, const Author& author) {
  Json detail = object_in(origin_of(author));
  for (const auto& [name, value] : note.detail) detail[name] = value;
  Json before = object_in(note.before);
  Json after = object_in(note.after);
  if (!note.before.empty() && !note.after.empty()) {
    detail["changed"] = keep_differences(before, after);
  }
  if (!note.before.empty()) detail["before"] = std::move(before);
  if (!note.after.empty()) detail["after"] = std::move(after);
  return write_json(detail);
}

Error no_such_tenant() {
  return {.code = Errc::kNotFound, .message = "there is no such tenant", .field = "tenant_id"};
}

Error no_such_key() {
  return {.code = Errc::kNotFound, .message = "there is no such key"};
}

Error key_name_taken(const std::string& name) {
  return {.code = Errc::kConflict,
          .message = "there is a key `" + name + "` already",
          .field = "name",
          .hint = "choose another name, or rotate or revoke that key"};
}

Error not_the_first_key() {
  return {.code = Errc::kConflict,
          .message = "somebody made the first key already",
          .hint = "only its holder can make others"};
}

Error no_such_secret(const std::string& name) {
  return {.code = Errc::kNotFound, .message = "there is no secret `" + name + "`"};
}

Error no_such_checkin() {
  return {.code = Errc::kNotFound,
          .message = "there is no such check-in token",
          .hint = "`belfry checkin rotate JOB` makes one"};
}

Error secret_in_use(const std::string& name, const std::vector<std::string>& jobs) {
  std::string names;
  for (const std::string& job : jobs) names += (names.empty() ? "`" : ", `") + job + "`";
  return {.code = Errc::kConflict,
          .message = "the secret `" + name + "` is in use: " + names + " name it",
          .hint = "let the jobs name another one first"};
}

Error no_such_type(const std::string& name) {
  return {.code = Errc::kNotFound,
          .message = "nothing is said of the job type `" + name + "`",
          .hint = "PUT /types/{type} sets its limits and defaults"};
}

Error too_many_types() {
  return {.code = Errc::kQuotaExceeded,
          .message = "a tenant has limits or defaults for at most " + std::to_string(kMostTypes) +
                     " job types",
          .hint = "delete those that are not needed"};
}

Error no_such_alert_rule(const std::string& name) {
  return {.code = Errc::kNotFound, .message = "there is no alert rule `" + name + "`"};
}

Error no_such_alert_silence() {
  return {.code = Errc::kNotFound, .message = "there is no such silence"};
}

Error another_alert_look() {
  return {.code = Errc::kConflict, .message = "another look was ended since this one began"};
}

std::string reference_to(const std::string& secret) {
  return R"("secret_ref":)" + write_json(Json(secret));
}

Status check_same_key(const ApiKey& there, const AccessStore::NewKey& asked) {
  const bool same =
      there.tenant == asked.tenant && there.name == asked.name && there.scope == asked.scope;
  if (!same) return fail(Errc::kConflict, "there is another key with this hash");
  return {};
}

AuditNote note_of_tenant(TenantId id, const std::optional<Tenant>& before, const Tenant& put) {
  return {.tenant = id,
          .action = "tenant.put",
          .object = "tenant:" + put.name,
          .before = shown(before),
          .after = shown(put)};
}

AuditNote note_of_new_key(const ApiKey& made) {
  return {.tenant = made.tenant,
          .action = "key.created",
          .object = object_of(made),
          .detail = {{"name", made.name}},
          .after = shown(made)};
}

AuditNote note_of_replaced_key(const ApiKey& old, const ApiKey& made) {
  return {.tenant = old.tenant,
          .action = "key.replaced",
          .object = object_of(old),
          .detail = {{"name", old.name}, {"by", object_of(made)}},
          .before = shown(old),
          .after = shown(made)};
}

AuditNote note_of_revoked_key(const ApiKey& revoked) {
  return {.tenant = revoked.tenant,
          .action = "key.revoked",
          .object = object_of(revoked),
          .detail = {{"name", revoked.name}},
          .before = shown(revoked)};
}

AuditNote note_of_refusal(const AuditStore::Refusal& refusal) {
  return {.tenant = refusal.tenant,
          .action = "call.refused",
          .object = "call:" + refusal.call,
          .detail = {{"reason", refusal.reason}}};
}

AuditNote note_of_bulk(const BulkWork& begun) {
  const NewBulk& wanted = begun.wanted;
  return {.tenant = wanted.tenant,
          .action = "bulk.begin",
          .object = "bulk:" + std::to_string(begun.id),
          .detail = {{"what", wanted.action + " " + wanted.object},
                     {"selector", wanted.selector},
                     {"arguments", wanted.arguments},
                     {"matched", std::to_string(wanted.total)},
                     {"note", wanted.note}}};
}

AuditNote note_of_stopped_bulk(TenantId tenant, std::uint64_t id) {
  return {.tenant = tenant, .action = "bulk.stop", .object = "bulk:" + std::to_string(id)};
}

AuditNote note_of_rotation(TenantId tenant, const std::string& key) {
  return {.tenant = tenant, .action = "secrets.rotate", .object = "seal_key:" + key};
}

AuditNote note_of_secret(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "secret.put", .object = "secret:" + name};
}

AuditNote note_of_deleted_secret(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "secret.deleted", .object = "secret:" + name};
}

AuditNote note_of_alert_rule(const std::optional<AlertRuleRow>& before, const AlertRuleRow& put) {
  return {.tenant = put.tenant,
          .action = "alert_rule.put",
          .object = "alert_rule:" + put.name,
          .before = shown(before),
          .after = shown(put)};
}

AuditNote note_of_deleted_alert_rule(const AlertRuleRow& deleted) {
  return {.tenant = deleted.tenant,
          .action = "alert_rule.deleted",
          .object = "alert_rule:" + deleted.name,
          .before = shown(deleted)};
}

AuditNote note_of_alert_silence(const AlertSilenceRow& made) {
  return {.tenant = made.tenant,
          .action = "alert_silence.created",
          .object = object_of(made),
          .after = shown(made)};
}

AuditNote note_of_deleted_alert_silence(const AlertSilenceRow& deleted) {
  return {.tenant = deleted.tenant,
          .action = "alert_silence.deleted",
          .object = object_of(deleted),
          .before = shown(deleted)};
}

AuditNote note_of_checkin(TenantId tenant, JobId job, bool made) {
  return {.tenant = tenant,
          .action = made ? "checkin.token" : "checkin.revoked",
          .object = "job:" + std::to_string(job.value())};
}

AuditNote note_of_calendar(const std::optional<CalendarRow>& before, const CalendarRow& put) {
  return {.tenant = put.tenant,
          .action = "calendar.put",
          .object = "calendar:" + put.name,
          .before = shown(before),
          .after = shown(put)};
}

AuditNote note_of_deleted_calendar(const CalendarRow& deleted) {
  return {.tenant = deleted.tenant,
          .action = "calendar.deleted",
          .object = "calendar:" + deleted.name,
          .before = shown(deleted)};
}

AuditNote note_of_type(const std::optional<JobType>& before, const JobType& put) {
  return {.tenant = put.tenant,
          .action = "type.put",
          .object = "type:" + put.name,
          .before = shown(before),
          .after = shown(put)};
}

AuditNote note_of_deleted_type(const JobType& deleted) {
  return {.tenant = deleted.tenant,
          .action = "type.deleted",
          .object = "type:" + deleted.name,
          .before = shown(deleted)};
}

}  // namespace belfry::store
