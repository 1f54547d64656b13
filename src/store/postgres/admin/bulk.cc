#include "store/postgres/admin/bulk.h"

#include "store/common/access_rules.h"
#include "store/common/bulk_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <limits>

namespace belfry::store::postgres {

BulkWork read_bulk(Row row) {
  BulkWork work;
  work.id = to_unsigned(row.number());
  NewBulk& wanted = work.wanted;
  wanted.tenant = TenantId(to_unsigned(row.number()));
  for (std::string* text : {&wanted.object, &wanted.action, &wanted.selector, &wanted.arguments,
                            &wanted.note, &wanted.author.actor, &wanted.author.request_id,
                            &wanted.author.key_id, &wanted.author.address}) {
    *text = row.text();
  }
  wanted.total = to_unsigned(row.number());
  wanted.exact = row.boolean();
  work.state = static_cast<BulkState>(row.number());
  work.cursor = row.text();
  work.done = to_unsigned(row.number());
  work.skipped = to_unsigned(row.number());
  work.failed = to_unsigned(row.number());
  work.error = row.text();
  work.created_at = row.instant();
  work.finished_at = row.maybe_instant();
  return work;
}

Status hold_bulk(Transaction& transaction, const BulkWork& work, const Incarnation& node) {
  const auto params = Params().bigint(to_bigint(work.id)).uuid(node.value()).text(work.cursor);
  BELFRY_TRY(held, transaction.run(kHoldBulk, params));
  if (held.empty()) return fail(bulk_moved_on());
  return {};
}

Result<BulkWork> advance_bulk(Transaction& transaction, std::optional<Instant> now,
                              const BulkStore::Progress& progress) {
  Params params;
  params.instant(now).bigint(to_bigint(progress.work.id)).uuid(progress.node.value());
  params.text(progress.work.cursor).text(progress.next.value_or(progress.work.cursor));
  params.boolean(!progress.next).bigint(to_bigint(progress.done));
  params.bigint(to_bigint(progress.skipped)).bigint(to_bigint(progress.failed));
  params.text(progress.error).bigint(progress.lease.count());
  BELFRY_TRY(reply, transaction.run(kAdvanceBulk, params));
  if (reply.empty()) return fail(bulk_moved_on());
  return read_bulk(reply.row(0));
}

Result<BulkWork> PostgresStore::begin_bulk(const NewBulk& wanted) {
  Params params;
  params.instant(now()).bigint(to_bigint(wanted.tenant.value()));
  for (const std::string* text :
       {&wanted.object, &wanted.action, &wanted.selector, &wanted.arguments, &wanted.note,
        &wanted.author.actor, &wanted.author.request_id, &wanted.author.key_id,
        &wanted.author.address}) {
    params.text(*text);
  }
  params.maybe_text(wanted.request_key).bigint(to_bigint(wanted.total)).boolean(wanted.exact);
  BulkWork work;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(begun, transaction.run(kBeginBulk, params));
    if (begun.empty()) {
      BELFRY_TRY(
          there,
          transaction.run(
              kRepeatedBulk,
              Params().bigint(to_bigint(wanted.tenant.value())).maybe_text(wanted.request_key)));
      if (there.empty()) return fail(bulk_moved_on());  // pruned meanwhile
      work = read_bulk(there.row(0));
      return {};
    }
    work = read_bulk(begun.row(0));
    return note_audit(transaction, now(), wanted.author, note_of_bulk(work));
  }));
  return work;
}

Result<BulkWork> PostgresStore::find_bulk(TenantId tenant, std::uint64_t id) {
  const auto params = Params().bigint(to_bigint(tenant.value())).bigint(to_bigint(id));
  BELFRY_TRY(reply, database_.read(kFindBulk, params));
  if (reply.empty()) return fail(no_such_bulk(id));
  return read_bulk(reply.row(0));
}

Result<std::vector<BulkWork>> PostgresStore::list_bulk(TenantId tenant,
                                                       std::optional<std::uint64_t> before,
                                                       std::size_t limit) {
  constexpr std::uint64_t kNewest = std::numeric_limits<std::int64_t>::max();
  Params params;
  params.bigint(to_bigint(tenant.value())).bigint(to_bigint(before.value_or(kNewest)));
  params.bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kListBulk, params));
  return read_all(reply, read_bulk);
}

Result<BulkWork> PostgresStore::stop_bulk(TenantId tenant, std::uint64_t id, const Author& author) {
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    Params params;
    params.instant(now()).bigint(to_bigint(tenant.value())).bigint(to_bigint(id));
    BELFRY_TRY(stopped, transaction.run(kStopBulk, params));
    if (stopped.empty()) return {};
    return note_audit(transaction, now(), author, note_of_stopped_bulk(tenant, id));
  }));
  return find_bulk(tenant, id);
}

Result<std::optional<BulkWork>> PostgresStore::take_bulk(const Incarnation& node, Duration lease) {
  const auto params = Params().instant(now()).uuid(node.value()).bigint(lease.count());
  BELFRY_TRY(reply, database_.write(kTakeBulk, params));
  if (reply.empty()) return std::nullopt;
  return read_bulk(reply.row(0));
}

Result<BulkWork> PostgresStore::advance_bulk(const Progress& progress) {
  BulkWork work;
  BELFRY_CHECK(database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(advanced, postgres::advance_bulk(transaction, now(), progress));
    work = std::move(advanced);
    return {};
  }));
  return work;
}

}  // namespace belfry::store::postgres
