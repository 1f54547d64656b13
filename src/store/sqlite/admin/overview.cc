#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

constexpr std::int64_t kMostCounted = 100'000;
constexpr std::int64_t kMostLookedAt = 20'000;
constexpr std::int64_t kMostFailing = 10'000;

void count(Count& count, std::int64_t value, std::int64_t most = kMostCounted) {
  count = {.value = value, .exact = value < most};
}

// Of all tenants, or of one.
Result<LiveRuns> count_live(const Session& session, std::optional<TenantId> tenant = {}) {
  LiveRuns live;
  const auto read_live = [&](Row& row) {
    std::int64_t ready = 0;
    std::int64_t running = 0;
    std::int64_t retrying = 0;
    row.read(ready, running, retrying, live.oldest_ready);
    count(live.ready, ready);
    count(live.running, running);
    count(live.retrying, retrying);
    live.ready.exact = live.retrying.exact = ready + retrying < kMostCounted;
  };
  if (tenant) {
    BELFRY_CHECK(session.db.first(kCountLiveOf, read_live, kMostCounted, *tenant));
  } else {
    BELFRY_CHECK(session.db.first(kCountLive, read_live, kMostCounted));
  }
  return live;
}

Result<Totals> count_all(const Session& session, std::optional<TenantId> tenant = {}) {
  BELFRY_TRY(live, count_live(session, tenant));
  Totals totals{live, {}, {}, {}, {}, {}};
  const auto read_jobs = [&](Row& row) {
    std::int64_t paused = 0;
    std::int64_t cancelled = 0;
    std::int64_t completed = 0;
    std::int64_t all = 0;
    std::int64_t failing = 0;
    row.read(paused, cancelled, completed, all, failing);
    count(totals.paused, paused);
    count(totals.cancelled, cancelled);
    count(totals.completed, completed);
    count(totals.failing, failing, kMostFailing);
    totals.active = {
        .value = std::max<std::int64_t>(all - paused - cancelled - completed, 0),
        .exact = totals.paused.exact && totals.cancelled.exact && totals.completed.exact};
  };
  if (tenant) {
    BELFRY_CHECK(session.db.first(kCountJobsOf, read_jobs, kMostCounted, session.now, kMostFailing,
                                  *tenant));
  } else {
    BELFRY_CHECK(session.db.first(kCountJobs, read_jobs, kMostCounted, session.now, kMostFailing));
  }
  return totals;
}

}  // namespace

Result<Overview> SqliteStore::overview() {
  return read([&](const Session& session) -> Result<Overview> {
    Overview overview{.now = session.now};
    const auto add_node = [&](Row& row) {
      Overview::Node& node = overview.nodes.emplace_back();
      row.read(node.incarnation, node.name, node.region, node.started_at, node.lease_until,
               node.clock_offset);
    };
    const auto add_partition = [&](Row& row) {
      Overview::Partition& partition = overview.partitions.emplace_back();
      row.read(partition.partition, partition.owner, partition.epoch, partition.decided_through,
               partition.version);
    };
    const auto read_leader = [&](Row& row) {
      Overview::Leader leader;
      row.read(leader.holder, leader.term, leader.lease_until);
      overview.leader = leader;
    };
    BELFRY_CHECK(session.db.each(kOverviewNodes, add_node));
    BELFRY_CHECK(session.db.each(kOverviewPartitions, add_partition));
    BELFRY_CHECK(session.db.first(kOverviewLeader, read_leader));
    return overview;
  });
}

Result<LiveRuns> SqliteStore::live_runs() {
  return read([](const Session& session) { return count_live(session); });
}

Result<std::vector<QueueLoad>> SqliteStore::queue_loads() {
  return read([&](const Session& session) -> Result<std::vector<QueueLoad>> {
    std::vector<QueueLoad> loads;
    const auto add = [&](Row& row) {
      QueueLoad& load = loads.emplace_back();
      row.read(load.queue, load.tenant, load.region, load.region_name, load.waiting,
               load.waiting_since, load.held, load.held_since, load.in_line, load.line_until);
    };
    BELFRY_CHECK(session.db.each(kQueueLoads, add, session.now, kMostLookedAt));
    return loads;
  });
}

Result<Totals> SqliteStore::totals() {
  return read([](const Session& session) { return count_all(session); });
}

Result<Totals> SqliteStore::totals_of(TenantId tenant) {
  return read([&](const Session& session) { return count_all(session, tenant); });
}

}  // namespace belfry::store::sqlite
