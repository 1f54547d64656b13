#include "store/common/audit_chain.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

// As on PostgreSQL, where it matters: a row is some seconds old when it is linked.
constexpr Duration kSettles = std::chrono::seconds(10);

}  // namespace

Result<std::size_t> SqliteStore::link_audit(std::size_t most) {
  return write([&](const Session& session) -> Result<std::size_t> {
    AuditLink last;
    const auto read_last = [&](Row& row) {
      row.read(last.position, last.seq, last.previous, last.hash);
    };
    BELFRY_CHECK(session.db.first(kLastLink, read_last));
    std::vector<AuditRow> rows;
    const auto add = [&](Row& row) {
      AuditRow& audit = rows.emplace_back();
      row.read(audit.seq, audit.at, audit.tenant, audit.actor, audit.action, audit.object,
               audit.detail);
    };
    BELFRY_CHECK(session.db.each(kRowsToLink, add, session.now - kSettles, most));
    for (const AuditLink& link : links_after(last, rows)) {
      BELFRY_CHECK(session.db.run(kAddLink, link.position, link.seq, link.previous, link.hash));
    }
    return rows.size();
  });
}

Result<std::vector<AuditStore::LinkedRow>> SqliteStore::list_links(std::uint64_t after,
                                                                   std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<LinkedRow>> {
    std::vector<LinkedRow> all;
    const auto add = [&](Row& row) {
      LinkedRow& linked = all.emplace_back();
      bool is_there = false;
      AuditRow audit;
      row.read(linked.link.position, linked.link.seq, linked.link.previous, linked.link.hash,
               is_there, audit.seq, audit.at, audit.tenant, audit.actor, audit.action, audit.object,
               audit.detail);
      if (is_there) linked.row = std::move(audit);
    };
    BELFRY_CHECK(session.db.each(kListLinks, add, after, limit));
    return all;
  });
}

Result<std::vector<AuditStore::Linked>> SqliteStore::list_linked(std::uint64_t after,
                                                                 std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<Linked>> {
    std::vector<Linked> all;
    const auto add = [&](Row& row) {
      Linked& linked = all.emplace_back();
      row.read(linked.seq, linked.is_linked);
    };
    BELFRY_CHECK(session.db.each(kListLinked, add, after, limit));
    return all;
  });
}

}  // namespace belfry::store::sqlite
