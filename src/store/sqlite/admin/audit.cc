#include "store/sqlite/admin/audit.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {

Status audit_job(const Session& session, const JobRow& job, const JobDeed& deed) {
  if (deed.author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kAuditJob, session.now, job.tenant, deed.author.actor, deed.action,
                              "job:" + std::to_string(job.id.value()), deed.author.request_id,
                              job.definition.name, deed.revision_before, job.revision, deed.changed,
                              deed.note));
  return {};
}

Status audit_run(const Session& session, TenantId tenant, const Author& author,
                 std::string_view action, const core::RunRef& run, std::string_view note) {
  if (author.actor.empty()) return {};
  const std::string object =
      "run:" + std::to_string(run.job.value()) + ':' + std::to_string(run.key.value());
  BELFRY_CHECK(session.db.run(kAuditRun, session.now, tenant, author.actor, action, object,
                              author.request_id, note));
  return {};
}

Status note_audit(const Session& session, const Author& author, const AuditNote& note) {
  if (author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kNoteAudit, session.now, note.tenant, note.action, note.object,
                              author.request_id, author.actor));
  for (const auto& [name, value] : note.detail) {
    BELFRY_CHECK(session.db.run(kAddDetail, name, value));
  }
  return {};
}

Result<std::vector<AccessStore::AuditRow>> SqliteStore::list_audit(
    std::optional<TenantId> tenant, std::optional<std::uint64_t> before, std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<AccessStore::AuditRow>> {
    constexpr std::uint64_t kNewest = std::numeric_limits<std::int64_t>::max();
    std::vector<AccessStore::AuditRow> rows;
    const auto add = [&](Row& row) {
      AccessStore::AuditRow& audit = rows.emplace_back();
      row.read(audit.seq, audit.at, audit.tenant, audit.actor, audit.action, audit.object,
               audit.detail);
    };
    const std::uint64_t newest = before.value_or(kNewest);
    if (tenant) {
      BELFRY_CHECK(session.db.each(kListAudit, add, *tenant, newest, limit));
    } else {
      BELFRY_CHECK(session.db.each(kListAllAudit, add, newest, limit));
    }
    return rows;
  });
}

}  // namespace belfry::store::sqlite
