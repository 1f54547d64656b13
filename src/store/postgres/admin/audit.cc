#include "store/postgres/admin/audit.h"

#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {

AuditRow read_audit(Row row) {
  AuditRow audit;
  audit.seq = to_unsigned(row.number());
  audit.at = row.instant();
  audit.tenant = TenantId(to_unsigned(row.number()));
  audit.actor = row.text();
  audit.action = row.text();
  audit.object = row.text();
  audit.detail = row.text();
  return audit;
}

Status note_audit(Transaction& transaction, std::optional<Instant> now, const Author& author,
                  const AuditNote& note) {
  if (author.actor.empty()) return {};
  Params params;
  params.instant(now).bigint(to_bigint(note.tenant.value())).text(note.action).text(note.object);
  params.text(detail_of(note, author)).text(author.actor);
  BELFRY_CHECK(transaction.run(kNoteAudit, params));
  return {};
}

Status PostgresStore::note_refusal(const Refusal& refusal, const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    return note_audit(transaction, now(), author, note_of_refusal(refusal));
  });
}

Result<std::vector<AccessStore::AuditRow>> PostgresStore::list_audit(
    std::optional<TenantId> tenant, std::optional<std::uint64_t> before, std::size_t limit) {
  constexpr std::uint64_t kNewest = std::numeric_limits<std::int64_t>::max();
  Params params;
  if (tenant) params.bigint(to_bigint(tenant->value()));
  params.bigint(to_bigint(before.value_or(kNewest))).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(tenant ? kListAudit : kListAllAudit, params));
  return read_all(reply, read_audit);
}

}  // namespace belfry::store::postgres
