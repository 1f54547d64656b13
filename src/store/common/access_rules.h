#pragma once

#include "base/error.h"
#include "base/result.h"
#include "store/access.h"
#include "store/alerts.h"
#include "store/audit.h"
#include "store/bulk.h"
#include "store/calendars.h"
#include "store/job_types.h"
#include "store/tenants.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Tenants, keys, secrets, calendars and job types as every store sees them: what is refused, and
// what the audit says of a change.
namespace belfry::store {

Error no_such_tenant();
Error no_such_key();
Error key_name_taken(const std::string& name);
Error not_the_first_key();
Error no_such_secret(const std::string& name);
Error no_such_checkin();
Error secret_in_use(const std::string& name, const std::vector<std::string>& jobs);
Error no_such_type(const std::string& name);
Error too_many_types();
Error no_such_alert_rule(const std::string& name);
Error no_such_alert_silence();
Error another_alert_look();
// What stands in the target of a job that names this secret, and in no other.
std::string reference_to(const std::string& secret);

// Whether a key asked for again is the one that exists; kConflict when it is another.
Status check_same_key(const ApiKey& there, const AccessStore::NewKey& asked);

// A row of `audit` that is yet to be written.
struct AuditNote {
  TenantId tenant;
  std::string action;
  std::string object;
  std::vector<std::pair<std::string, std::string>> detail = {};
  // JSON objects, with secrets hidden; empty: there is none.
  std::string before = {};
  std::string after = {};
};
// What the row says beside who, what and when: {"key_id": "7", …, "changed": [the fields that
// differ], "before": {what they were}, "after": {what they are}}; all fields where a thing
// is new or gone.
std::string detail_of(const AuditNote& note, const Author& author);

AuditNote note_of_tenant(TenantId id, const std::optional<Tenant>& before, const Tenant& put);
AuditNote note_of_new_key(const ApiKey& made);
AuditNote note_of_revoked_key(const ApiKey& revoked);
AuditNote note_of_replaced_key(const ApiKey& old, const ApiKey& made);
AuditNote note_of_refusal(const AuditStore::Refusal& refusal);
AuditNote note_of_bulk(const BulkWork& begun);
AuditNote note_of_stopped_bulk(TenantId tenant, std::uint64_t id);
// From now on everything is sealed with this key.
AuditNote note_of_rotation(TenantId tenant, const std::string& key);
AuditNote note_of_secret(TenantId tenant, const std::string& name);
AuditNote note_of_deleted_secret(TenantId tenant, const std::string& name);
AuditNote note_of_alert_rule(const std::optional<AlertRuleRow>& before, const AlertRuleRow& put);
AuditNote note_of_deleted_alert_rule(const AlertRuleRow& deleted);
AuditNote note_of_alert_silence(const AlertSilenceRow& made);
AuditNote note_of_deleted_alert_silence(const AlertSilenceRow& deleted);
// A job has a new token for check-ins, or none any more.
AuditNote note_of_checkin(TenantId tenant, JobId job, bool made);
AuditNote note_of_calendar(const std::optional<CalendarRow>& before, const CalendarRow& put);
AuditNote note_of_deleted_calendar(const CalendarRow& deleted);
AuditNote note_of_type(const std::optional<JobType>& before, const JobType& put);
AuditNote note_of_deleted_type(const JobType& deleted);

}  // namespace belfry::store
