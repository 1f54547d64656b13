#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <algorithm>

namespace belfry::store::postgres {
namespace {

constexpr std::int64_t kMostCounted = 100'000;
constexpr std::int64_t kMostLookedAt = 20'000;
constexpr std::int64_t kMostFailing = 10'000;
constexpr std::int64_t kMostSummed = 50'000;  // rows, of a tenant and a partition each

Overview::Node read_node(Row row) {
  Overview::Node node;
  node.incarnation = Incarnation(row.bits128());
  node.name = row.text();
  node.region = row.text();
  node.started_at = row.instant();
  node.lease_until = row.instant();
  if (row.next_is_null()) {
    row.skip(1);
  } else {
    node.clock_offset = Duration(row.number());
  }
  return node;
}

Overview::Partition read_partition(Row row) {
  Overview::Partition partition;
  partition.partition = PartitionNo(static_cast<std::uint16_t>(row.number()));
  if (row.next_is_null()) {
    row.skip(1);
  } else {
    partition.owner = Incarnation(row.bits128());
  }
  partition.epoch = Epoch(to_unsigned(row.number()));
  partition.decided_through = row.instant();
  partition.version = JobsVersion(to_unsigned(row.number()));
  return partition;
}

Count counted(std::int64_t value, std::int64_t most = kMostCounted) {
  return {.value = value, .exact = value < most};
}

LiveRuns live_of(Row row) {
  LiveRuns live;
  live.ready = counted(row.number());
  live.running = counted(row.number());
  live.retrying = counted(row.number());
  live.oldest_ready = row.maybe_instant();
  const bool all_waiting = live.ready.value + live.retrying.value < kMostCounted;
  live.ready.exact = live.retrying.exact = all_waiting;
  return live;
}

Totals read_totals(const LiveRuns& live, Row row) {
  Totals totals{live, {}, {}, {}, {}, {}};
  totals.paused = counted(row.number());
  totals.cancelled = counted(row.number());
  totals.completed = counted(row.number());
  const std::int64_t summed = row.number();
  const std::int64_t estimate = row.number();
  const std::int64_t all = estimate < 0 ? summed : estimate;
  totals.failing = counted(row.number(), kMostFailing);
  const std::int64_t others = totals.paused.value + totals.cancelled.value + totals.completed.value;
  totals.active = {.value = std::max<std::int64_t>(all - others, 0),
                   .exact = estimate < 0 && totals.paused.exact && totals.cancelled.exact &&
                            totals.completed.exact};
  return totals;
}

}  // namespace

Result<Overview> PostgresStore::overview() {
  Overview overview;
  BELFRY_TRY(now, clock());
  BELFRY_TRY(nodes, database_.read(kOverviewNodes));
  BELFRY_TRY(partitions, database_.read(kOverviewPartitions));
  BELFRY_TRY(leader, database_.read(kOverviewLeader));
  overview.now = now;
  overview.nodes = read_all(nodes, read_node);
  overview.partitions = read_all(partitions, read_partition);
  if (!leader.empty()) {
    Row row = leader.row(0);
    const Incarnation holder(row.bits128());
    const std::uint64_t term = to_unsigned(row.number());
    overview.leader = {.holder = holder, .term = term, .lease_until = row.instant()};
  }
  return overview;
}

Result<LiveRuns> PostgresStore::live_runs() {
  BELFRY_TRY(reply, database_.read(kCountLive, Params().bigint(kMostCounted)));
  return live_of(reply.row(0));
}

Result<std::vector<QueueLoad>> PostgresStore::queue_loads() {
  BELFRY_TRY(reply, database_.read(kQueueLoads, Params().instant(now()).bigint(kMostLookedAt)));
  return read_all(reply, [](Row row) {
    QueueLoad load;
    load.queue = row.text();
    load.tenant = TenantId(to_unsigned(row.number()));
    if (row.next_is_null()) {
      row.skip(1);
    } else {
      load.region = RegionNo(static_cast<std::uint8_t>(row.number()));
    }
    load.region_name = row.text();
    load.waiting = row.number();
    load.waiting_since = row.maybe_instant();
    load.held = row.number();
    load.held_since = row.maybe_instant();
    load.in_line = row.number();
    load.line_until = row.maybe_instant();
    return load;
  });
}

Result<Totals> PostgresStore::totals() {
  BELFRY_TRY(live, live_runs());
  BELFRY_TRY(
      jobs,
      database_.read(
          kCountJobs,
          Params().bigint(kMostCounted).instant(now()).bigint(kMostFailing).bigint(kMostSummed)));
  return read_totals(live, jobs.row(0));
}

Result<Totals> PostgresStore::totals_of(TenantId tenant) {
  const std::int64_t id = to_bigint(tenant.value());
  BELFRY_TRY(live, database_.read(kCountLiveOf, Params().bigint(kMostCounted).bigint(id)));
  BELFRY_TRY(
      jobs,
      database_.read(kCountJobsOf,
                     Params().bigint(kMostCounted).instant(now()).bigint(kMostFailing).bigint(id)));
  return read_totals(live_of(live.row(0)), jobs.row(0));
}

}  // namespace belfry::store::postgres
