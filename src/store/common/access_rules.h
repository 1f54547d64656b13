#pragma once

#include "base/error.h"
#include "base/result.h"
#include "store/access.h"
#include "store/audit.h"
#include "store/calendars.h"
#include "store/tenants.h"

#include <string>
#include <utility>
#include <vector>

// Tenants, keys, secrets and calendars as every store sees them: what is refused, and what the
// audit says of a change.
namespace belfry::store {

Error no_such_tenant();
Error no_such_key();
Error key_name_taken(const std::string& name);
Error not_the_first_key();
Error no_such_secret(const std::string& name);
Error no_such_checkin();
Error secret_in_use(const std::string& name, const std::vector<std::string>& jobs);
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
};
AuditNote note_of_tenant(TenantId id, const Tenant& put);
AuditNote note_of_new_key(const ApiKey& made);
AuditNote note_of_revoked_key(const ApiKey& revoked);
AuditNote note_of_replaced_key(const ApiKey& old, const ApiKey& made);
AuditNote note_of_refusal(const AuditStore::Refusal& refusal);
AuditNote note_of_stopped_bulk(TenantId tenant, std::uint64_t id);
AuditNote note_of_secret(TenantId tenant, const std::string& name);
AuditNote note_of_deleted_secret(TenantId tenant, const std::string& name);
AuditNote note_of_alert_rule(TenantId tenant, const std::string& name);
AuditNote note_of_deleted_alert_rule(TenantId tenant, const std::string& name);
AuditNote note_of_alert_silence(TenantId tenant, std::uint64_t id);
AuditNote note_of_deleted_alert_silence(TenantId tenant, std::uint64_t id);
// A job has a new token for check-ins, or none any more.
AuditNote note_of_checkin(TenantId tenant, JobId job, bool made);
AuditNote note_of_calendar(const CalendarRow& put);
AuditNote note_of_deleted_calendar(TenantId tenant, const std::string& name);

}  // namespace belfry::store
