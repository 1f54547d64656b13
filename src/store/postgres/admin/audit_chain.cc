#include "store/common/audit_chain.h"

#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

AuditLink read_link(Row& row) {
  AuditLink link;
  link.position = to_unsigned(row.number());
  link.seq = to_unsigned(row.number());
  link.previous = row.text();
  link.hash = row.text();
  return link;
}

}  // namespace

Result<std::size_t> PostgresStore::link_audit(std::size_t most) {
  std::size_t linked = 0;
  const auto link_rows = [&](Transaction& transaction) -> Status {
    BELFRY_TRY(found, transaction.run(kLastLink));
    AuditLink last;
    if (!found.empty()) {
      Row row = found.row(0);
      last = read_link(row);
    }
    const auto params = Params().instant(now()).bigint(to_bigint(most));
    BELFRY_TRY(rows, transaction.run(kRowsToLink, params));
    const auto links = links_after(last, read_all(rows, [](Row row) { return read_audit(row); }));
    linked = links.size();
    if (links.empty()) return {};
    std::vector<std::int64_t> positions;
    std::vector<std::int64_t> numbers;
    std::vector<std::string_view> before;
    std::vector<std::string_view> hashes;
    for (const AuditLink& link : links) {
      positions.push_back(to_bigint(link.position));
      numbers.push_back(to_bigint(link.seq));
      before.emplace_back(link.previous);
      hashes.emplace_back(link.hash);
    }
    BELFRY_CHECK(transaction.run(
        kAddLinks, Params().bigints(positions).bigints(numbers).texts(before).texts(hashes)));
    return {};
  };
  BELFRY_CHECK(database_.transaction(link_rows));
  return linked;
}

Result<std::vector<AuditStore::LinkedRow>> PostgresStore::list_links(std::uint64_t after,
                                                                     std::size_t limit) {
  const auto params = Params().bigint(to_bigint(after)).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kListLinks, params));
  return read_all(reply, [](Row row) {
    LinkedRow linked{.link = read_link(row), .row = {}};
    if (!row.next_is_null()) linked.row = read_audit(row);
    return linked;
  });
}

Result<std::vector<AuditStore::Linked>> PostgresStore::list_linked(std::uint64_t after,
                                                                   std::size_t limit) {
  const auto params = Params().bigint(to_bigint(after)).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kListLinked, params));
  return read_all(reply, [](Row row) {
    const std::uint64_t seq = to_unsigned(row.number());
    return Linked{.seq = seq, .is_linked = row.boolean()};
  });
}

}  // namespace belfry::store::postgres
