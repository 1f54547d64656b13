#include "store/sqlite/admin/bulk.h"

#include "store/common/access_rules.h"
#include "store/common/bulk_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <limits>

namespace belfry::store::sqlite {
namespace {

BulkWork read_bulk(Row& row) {
  BulkWork work;
  NewBulk& wanted = work.wanted;
  Author& author = wanted.author;
  row.read(work.id, wanted.tenant, wanted.object, wanted.action, wanted.selector, wanted.arguments,
           wanted.note, author.actor, author.request_id, author.key_id, author.address,
           wanted.total, wanted.exact, work.state, work.cursor, work.done, work.skipped,
           work.failed, work.error, work.created_at, work.finished_at);
  return work;
}

Result<BulkWork> find_bulk(const Session& session, TenantId tenant, std::uint64_t id) {
  BulkWork work;
  const auto read = [&](Row& row) { work = read_bulk(row); };
  BELFRY_TRY(found, session.db.first(kFindBulk, read, tenant, id));
  if (!found) return fail(no_such_bulk(id));
  return work;
}

}  // namespace

Result<BulkWork> advance_bulk(const Session& session, const BulkStore::Progress& progress) {
  BulkWork work;
  const auto read = [&](Row& row) { work = read_bulk(row); };
  BELFRY_TRY(advanced,
             session.db.first(kAdvanceBulk, read, progress.work.id, progress.node,
                              progress.work.cursor, progress.next.value_or(progress.work.cursor),
                              !progress.next, progress.done, progress.skipped, progress.failed,
                              progress.error, session.now + progress.lease, session.now));
  if (!advanced) return fail(bulk_moved_on());
  return work;
}

Result<BulkWork> SqliteStore::begin_bulk(const NewBulk& wanted) {
  return write([&](const Session& session) -> Result<BulkWork> {
    BulkWork work;
    const auto read = [&](Row& row) { work = read_bulk(row); };
    const Author& author = wanted.author;
    BELFRY_TRY(is_new,
               session.db.first(kBeginBulk, read, wanted.tenant, wanted.object, wanted.action,
                                wanted.selector, wanted.arguments, wanted.note, author.actor,
                                author.request_id, author.key_id, author.address,
                                wanted.request_key, wanted.total, wanted.exact, session.now));
    if (is_new) {
      BELFRY_CHECK(note_audit(session, author, note_of_bulk(work)));
    } else {
      BELFRY_CHECK(session.db.first(kRepeatedBulk, read, wanted.tenant, wanted.request_key));
    }
    return work;
  });
}

Result<BulkWork> SqliteStore::find_bulk(TenantId tenant, std::uint64_t id) {
  return read([&](const Session& session) { return sqlite::find_bulk(session, tenant, id); });
}

Result<std::vector<BulkWork>> SqliteStore::list_bulk(TenantId tenant,
                                                     std::optional<std::uint64_t> before,
                                                     std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<BulkWork>> {
    constexpr std::uint64_t kNewest = std::numeric_limits<std::int64_t>::max();
    std::vector<BulkWork> all;
    const auto add = [&](Row& row) { all.push_back(read_bulk(row)); };
    BELFRY_CHECK(session.db.each(kListBulk, add, tenant, before.value_or(kNewest), limit));
    return all;
  });
}

Result<BulkWork> SqliteStore::stop_bulk(TenantId tenant, std::uint64_t id, const Author& author) {
  return write([&](const Session& session) -> Result<BulkWork> {
    BELFRY_TRY(stopped, session.db.run(kStopBulk, tenant, id, session.now));
    if (stopped > 0) {
      BELFRY_CHECK(note_audit(session, author, note_of_stopped_bulk(tenant, id)));
    }
    return sqlite::find_bulk(session, tenant, id);
  });
}

Result<std::optional<BulkWork>> SqliteStore::take_bulk(const Incarnation& node, Duration lease) {
  return write([&](const Session& session) -> Result<std::optional<BulkWork>> {
    std::optional<BulkWork> work;
    const auto read = [&](Row& row) { work = read_bulk(row); };
    BELFRY_CHECK(session.db.first(kTakeBulk, read, session.now, node, session.now + lease));
    return work;
  });
}

Result<BulkWork> SqliteStore::advance_bulk(const Progress& progress) {
  return write([&](const Session& session) { return sqlite::advance_bulk(session, progress); });
}

}  // namespace belfry::store::sqlite
