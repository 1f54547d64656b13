#include "store/sqlite/admin/chores.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

constexpr int kBatch = 5'000;

// An owner that is further behind loads its partition anew.
constexpr Duration kKeepChanges = std::chrono::hours(1);
constexpr Duration kKeepDeadNodes = std::chrono::hours(1);
constexpr Duration kKeepEvents = std::chrono::hours(1);
constexpr Duration kKeepRequests = std::chrono::hours(24);
constexpr Duration kKeepAudit = std::chrono::hours(24) * 400;
constexpr Duration kKeepBulk = std::chrono::hours(24) * 30;

constexpr int kMaxRegions = 256;

Result<RegionNo> put_region(const Session& session, const std::string& name) {
  BELFRY_TRY(known, session.db.value<std::optional<RegionNo>>(kRegionByName, name));
  if (known) return *known;
  BELFRY_TRY(next, session.db.value<int>(kNextRegion));
  if (next >= kMaxRegions) return fail(Errc::kInvalid, "there are 256 regions already");
  const RegionNo region(static_cast<std::uint8_t>(next));
  BELFRY_CHECK(session.db.run(kAddRegion, region, name));
  BELFRY_CHECK(session.db.run(kAddPartitions, partition_no(region, PartitionId(0)),
                              partition_no(region, PartitionId(kPartitionCount - 1)), session.now));
  return region;
}

// Drops a batch of what is too old and returns how many rows it had. Many short transactions,
// because ticks wait meanwhile.
Result<std::size_t> drop_old(const Session& session, Duration retention) {
  Db& db = session.db;
  const Instant now = session.now;
  BELFRY_TRY(logs, db.run(kPruneRunLogs, now - retention, kBatch));
  BELFRY_TRY(changes, db.run(kPruneChanges, now - kKeepChanges, kBatch));
  BELFRY_TRY(nodes, db.run(kPruneNodes, now - kKeepDeadNodes));
  BELFRY_TRY(events, db.run(kPruneEvents, now - kKeepEvents, kBatch));
  BELFRY_TRY(requests, db.run(kPruneRequests, now - kKeepRequests, kBatch));
  BELFRY_TRY(audit, db.run(kPruneAudit, now - kKeepAudit, kBatch));
  BELFRY_TRY(stays, db.value<std::int64_t>(kRipeLinks, now - kKeepAudit, kBatch));
  BELFRY_TRY(linked, db.run(kPruneLinkedAudit, stays));
  BELFRY_TRY(links, db.run(kPruneLinks, stays));
  BELFRY_TRY(bulk, db.run(kPruneBulk, now - kKeepBulk, kBatch));
  return logs + changes + nodes + events + requests + audit + linked + links + bulk;
}

Result<std::size_t> drop_old_runs(const Session& session, Duration retention) {
  BELFRY_TRY(runs, session.db.run(kDropHistory, session.now - retention, kBatch));
  BELFRY_TRY(attempts, session.db.run(kDropAttempts, session.now - retention, kBatch));
  return runs + attempts;
}

}  // namespace

Status put_defaults(const Session& session) {
  BELFRY_CHECK(put_region(session, "default"));
  BELFRY_CHECK(session.db.run(kSeedTenant, session.now));
  return {};
}

Result<std::vector<ChoreStore::Region>> SqliteStore::list_regions() {
  return read([&](const Session& session) -> Result<std::vector<ChoreStore::Region>> {
    std::vector<ChoreStore::Region> regions;
    const auto add = [&](Row& row) {
      ChoreStore::Region& region = regions.emplace_back();
      row.read(region.no, region.name);
    };
    BELFRY_CHECK(session.db.each(kListRegions, add));
    return regions;
  });
}

Result<RegionNo> SqliteStore::put_region(const std::string& name) {
  return write([&](const Session& session) { return sqlite::put_region(session, name); });
}

Status SqliteStore::keep_history(Duration retention, PastRuns past) {
  for (;;) {
    BELFRY_TRY(dropped, write([&](const Session& session) -> Result<std::size_t> {
                 BELFRY_TRY(rest, drop_old(session, retention));
                 if (past == PastRuns::kLeave) return rest;
                 BELFRY_TRY(runs, drop_old_runs(session, retention));
                 return rest + runs;
               }));
    if (dropped == 0) return {};
  }
}

Result<std::size_t> SqliteStore::end_pauses(std::size_t most) {
  return write([&](const Session& session) -> Result<std::size_t> {
    BELFRY_TRY(ended, session.db.run(kEndPauses, session.now, most));
    return static_cast<std::size_t>(ended);
  });
}

Result<std::optional<ChoreStore::SkipCursor>> SqliteStore::sweep_skips(
    const ChoreStore::SkipCursor& after, Duration retention, std::size_t most) {
  return write([&](const Session& session) -> Result<std::optional<ChoreStore::SkipCursor>> {
    std::optional<ChoreStore::SkipCursor> last;
    std::vector<ChoreStore::SkipCursor> old;
    const auto look = [&](Row& row) {
      Instant last_tick;
      ChoreStore::SkipCursor& seen = last.emplace();
      row.read(seen.job, seen.first, last_tick);
      if (last_tick < session.now - retention) old.push_back(*last);
    };
    BELFRY_CHECK(
        session.db.each(kSkipsAfter, look, partition_of(after.job), after.job, after.first, most));
    for (const ChoreStore::SkipCursor& skip : old) {
      BELFRY_CHECK(session.db.run(kDropSkip, partition_of(skip.job), skip.job, skip.first));
    }
    return last;
  });
}

}  // namespace belfry::store::sqlite
