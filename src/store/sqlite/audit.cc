#include "store/sqlite/audit.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Status audit_job(const Session& session, const JobRow& job, const JobDeed& deed) {
  if (deed.author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kAuditJob, session.now, job.tenant, deed.author.actor, deed.action,
                              "job:" + std::to_string(job.id.value()), deed.author.request_id,
                              job.definition.name, deed.revision_before, job.revision, deed.changed,
                              deed.note));
  return {};
}

Status audit_backfill(const Session& session, TenantId tenant, const Author& author, JobId job,
                      std::int64_t runs) {
  if (author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kAuditBackfill, session.now, tenant, author.actor,
                              "job:" + std::to_string(job.value()), author.request_id, runs));
  return {};
}

Status audit_run(const Session& session, TenantId tenant, const Author& author,
                 std::string_view action, const core::RunRef& run) {
  if (author.actor.empty()) return {};
  const std::string object =
      "run:" + std::to_string(run.job.value()) + ':' + std::to_string(run.key.value());
  BELFRY_CHECK(session.db.run(kAuditRun, session.now, tenant, author.actor, action, object,
                              author.request_id));
  return {};
}

}  // namespace belfry::store::sqlite
