#include "store/sqlite/admin/audit.h"

#include "base/json.h"
#include "store/common/audit_chain.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {

namespace {

// Adds the members of `more` to those of `detail`.
void add(Json& detail, const std::string& more) {
  const auto parsed = parse_json(more);
  if (parsed && parsed->is_object()) detail.update(*parsed);
}

}  // namespace

Status audit_job(const Session& session, const JobRow& job, const JobDeed& deed) {
  if (deed.author.actor.empty()) return {};
  Json detail = Json::object();
  add(detail, origin_of(deed.author));
  detail["job_name"] = job.definition.name;
  detail["revision_before"] = deed.revision_before;
  detail["revision_after"] = job.revision;
  add(detail, deed.changed);
  detail["note"] = deed.note;
  BELFRY_CHECK(session.db.run(kNoteAudit, session.now, job.tenant, deed.author.actor, deed.action,
                              "job:" + std::to_string(job.id.value()), write_json(detail)));
  return {};
}

Status audit_run(const Session& session, TenantId tenant, const Author& author,
                 std::string_view action, const core::RunRef& run, std::string_view note) {
  if (author.actor.empty()) return {};
  const std::string object =
      "run:" + std::to_string(run.job.value()) + ':' + std::to_string(run.key.value());
  Json detail = Json::object();
  add(detail, origin_of(author));
  if (!note.empty()) detail["note"] = note;
  BELFRY_CHECK(session.db.run(kNoteAudit, session.now, tenant, author.actor, action, object,
                              write_json(detail)));
  return {};
}

Status note_audit(const Session& session, const Author& author, const AuditNote& note) {
  if (author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kNoteAudit, session.now, note.tenant, author.actor, note.action,
                              note.object, detail_of(note, author)));
  return {};
}

Status SqliteStore::note_refusal(const Refusal& refusal, const Author& author) {
  return write([&](const Session& session) -> Status {
    return note_audit(session, author, note_of_refusal(refusal));
  });
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
