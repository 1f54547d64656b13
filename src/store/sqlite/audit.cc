#include "store/sqlite/audit.h"

#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {

Status note_audit(const Session& session, const Author& author, const AuditNote& note) {
  if (author.actor.empty()) return {};
  BELFRY_CHECK(session.db.run(kAddAudit, session.now, note.tenant, note.action, note.object,
                              author.request_id, author.actor));
  for (const auto& [name, value] : note.detail) {
    BELFRY_CHECK(session.db.run(kAddDetail, name, value));
  }
  return {};
}

Result<std::vector<AccessStore::AuditRow>> list_audit(const Session& session,
                                                      std::optional<TenantId> tenant,
                                                      std::optional<std::uint64_t> before,
                                                      std::size_t limit) {
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
}

}  // namespace belfry::store::sqlite
