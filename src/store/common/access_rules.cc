#include "store/common/access_rules.h"

#include "base/json.h"
#include "core/schedule/calendar.h"

namespace belfry::store {

namespace {

std::string object_of(const ApiKey& key) {
  return "key:" + std::to_string(key.id.value());
}

}  // namespace

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
  return {.code = Errc::kNotFound, .message = "there is no such check-in token"};
}

Error secret_in_use(const std::string& name, const std::vector<std::string>& jobs) {
  std::string names;
  for (const std::string& job : jobs) names += (names.empty() ? "`" : ", `") + job + "`";
  return {.code = Errc::kConflict,
          .message = "the secret `" + name + "` is in use: " + names + " name it",
          .hint = "let the jobs name another one first"};
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

AuditNote note_of_tenant(TenantId id, const Tenant& put) {
  return {.tenant = id,
          .action = "tenant.put",
          .object = "tenant:" + put.name,
          .detail = {{"weight", std::to_string(put.weight)},
                     {"max_in_flight", std::to_string(put.max_in_flight)},
                     {"max_jobs", std::to_string(put.max_jobs)},
                     {"max_requests", std::to_string(put.max_requests)}}};
}

AuditNote note_of_new_key(const ApiKey& made) {
  return {.tenant = made.tenant,
          .action = "key.created",
          .object = object_of(made),
          .detail = {{"name", made.name},
                     {"scope", std::to_string(static_cast<int>(made.scope))},
                     {"may_exec", made.may_exec ? "true" : "false"}}};
}

AuditNote note_of_replaced_key(const ApiKey& old, const ApiKey& made) {
  return {.tenant = old.tenant,
          .action = "key.replaced",
          .object = object_of(old),
          .detail = {{"name", old.name}, {"by", object_of(made)}}};
}

AuditNote note_of_revoked_key(const ApiKey& revoked) {
  return {.tenant = revoked.tenant,
          .action = "key.revoked",
          .object = object_of(revoked),
          .detail = {{"name", revoked.name}}};
}

AuditNote note_of_refusal(const AuditStore::Refusal& refusal) {
  return {.tenant = refusal.tenant,
          .action = "call.refused",
          .object = "call:" + refusal.call,
          .detail = {{"reason", refusal.reason}}};
}

AuditNote note_of_stopped_bulk(TenantId tenant, std::uint64_t id) {
  return {.tenant = tenant, .action = "bulk.stop", .object = "bulk:" + std::to_string(id)};
}

AuditNote note_of_secret(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "secret.put", .object = "secret:" + name};
}

AuditNote note_of_deleted_secret(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "secret.deleted", .object = "secret:" + name};
}

AuditNote note_of_alert_rule(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "alert_rule.put", .object = "alert_rule:" + name};
}

AuditNote note_of_deleted_alert_rule(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "alert_rule.deleted", .object = "alert_rule:" + name};
}

AuditNote note_of_alert_silence(TenantId tenant, std::uint64_t id) {
  return {.tenant = tenant,
          .action = "alert_silence.created",
          .object = "alert_silence:" + std::to_string(id)};
}

AuditNote note_of_deleted_alert_silence(TenantId tenant, std::uint64_t id) {
  return {.tenant = tenant,
          .action = "alert_silence.deleted",
          .object = "alert_silence:" + std::to_string(id)};
}

AuditNote note_of_checkin(TenantId tenant, JobId job, bool made) {
  return {.tenant = tenant,
          .action = made ? "checkin.token" : "checkin.revoked",
          .object = "job:" + std::to_string(job.value())};
}

AuditNote note_of_calendar(const CalendarRow& put) {
  return {.tenant = put.tenant,
          .action = "calendar.put",
          .object = "calendar:" + put.name,
          .detail = {{"revision", std::to_string(put.revision)},
                     {"rules", core::join_rules(put.rules)}}};
}

AuditNote note_of_deleted_calendar(TenantId tenant, const std::string& name) {
  return {.tenant = tenant, .action = "calendar.deleted", .object = "calendar:" + name};
}

}  // namespace belfry::store
