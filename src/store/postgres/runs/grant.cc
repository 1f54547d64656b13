#include "store/postgres/implementation.h"
#include "store/postgres/runs/limits_row.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

#include <algorithm>
#include <map>

namespace belfry::store::postgres {
namespace {

ClaimedRun read_granted(Row row) {
  ClaimedRun run;
  run.taker = static_cast<std::size_t>(row.number());
  run.run.job = JobId(to_unsigned(row.number()));
  run.run.key = core::RunKey(row.number());
  run.tenant = TenantId(to_unsigned(row.number()));
  run.job_name = row.text();
  run.job_type = row.text();
  run.fence = Fence(to_unsigned(row.number()));
  run.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
  run.scheduled_for = row.instant();
  run.due = row.instant();
  run.lease_until = row.instant();
  run.deadline = row.instant();
  run.stands_for = row.number();
  run.target = row.text();
  run.payload = row.text();
  return run;
}

core::LiveRun read_live_run(Row row) {
  core::LiveRun run;
  run.run.job = JobId(to_unsigned(row.number()));
  run.run.key = core::RunKey(row.number());
  run.tenant = TenantId(to_unsigned(row.number()));
  run.queue = row.text();
  run.priority = static_cast<std::int32_t>(row.number());
  run.due = row.instant();
  run.exclusive = row.boolean();
  const bool running = row.boolean();
  const Fence fence(to_unsigned(row.number()));
  const auto until = row.maybe_instant();
  core::LiveRun::Held held{.fence = fence, .until = until.value_or(Instant::min())};
  held.claim = to_unsigned(row.number());
  if (row.next_is_null()) {
    row.skip(1);
  } else {
    held.holder = Incarnation(row.bits128());
  }
  run.start_by = row.maybe_instant();
  run.type = row.text();
  run.region = core::region_for(run.run.job, static_cast<core::RunIn>(row.number()));
  if (running) run.held = held;
  return run;
}

// By the runs' keys, as every batch locks them; each with its place among its tenant's.
Params grant_params(std::optional<Instant> now, const GrantRequest& request) {
  std::vector<const GrantRequest::Wanted*> runs;
  for (const GrantRequest::Wanted& wanted : request.runs) runs.push_back(&wanted);
  std::map<TenantId, std::int64_t> ranks;
  std::map<const GrantRequest::Wanted*, std::int64_t> rank_of;
  for (const auto* wanted : runs) rank_of[wanted] = ++ranks[wanted->tenant];
  std::ranges::sort(runs, {}, [](const auto* wanted) { return wanted->run; });
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> takers;
  for (const auto* wanted : runs) {
    jobs.push_back(to_bigint(wanted->run.job.value()));
    keys.push_back(wanted->run.key.value());
    tenants.push_back(to_bigint(wanted->tenant.value()));
    places.push_back(rank_of.at(wanted));
    takers.push_back(to_bigint(wanted->taker) + 1);
  }
  std::vector<std::string_view> workers;
  std::vector<std::int64_t> leases;
  std::vector<std::string> holders;
  std::vector<std::int64_t> regions;
  for (const Taker& taker : request.takers) {
    workers.push_back(taker.worker);
    leases.push_back(taker.lease.count());
    holders.push_back(holder_text(taker));
    regions.push_back(taker.region.value());
  }
  Params params;
  params.instant(now).bigints(jobs).bigints(keys).bigints(tenants).bigints(places);
  params.integers(takers).texts(workers).bigints(leases);
  params.texts(std::vector<std::string_view>(holders.begin(), holders.end()));
  params.bigint(to_bigint(request.claim)).integers(regions);
  return params;
}

}  // namespace

Result<std::vector<ClaimedRun>> PostgresStore::grant(const GrantRequest& request) {
  if (request.runs.empty()) return std::vector<ClaimedRun>();
  const Params params = grant_params(now(), request);
  auto reply = database_.write(kGrantRuns, params);
  // The index runs_holding_job refused a second run of an exclusive job that another node had just
  // started; the next look sees that one.
  for (int i = 1; i < kTries && !reply && reply.error().code == Errc::kConflict; ++i) {
    reply = database_.write(kGrantRuns, params);
  }
  if (!reply && reply.error().code == Errc::kConflict) {
    return fail(Errc::kUnavailable, "too many grants at the same moment");
  }
  if (!reply) return fail(reply.error());
  std::vector<ClaimedRun> granted = read_all(*reply, read_granted);
  if (!granted.empty()) hints_.box().add_events();
  return granted;
}

Result<std::vector<core::LiveRun>> PostgresStore::read_live(
    std::span<const PartitionNo> partitions) {
  std::vector<std::int64_t> ids;
  for (const PartitionNo partition : partitions) ids.push_back(partition.value());
  BELFRY_TRY(reply, database_.read(kReadLive, Params().integers(ids)));
  return read_all(reply, read_live_run);
}

Result<std::vector<core::LiveRun>> PostgresStore::find_live(std::span<const core::RunRef> asked) {
  std::vector<std::int64_t> jobs;
  std::vector<std::int64_t> keys;
  for (const core::RunRef& run : asked) {
    jobs.push_back(to_bigint(run.job.value()));
    keys.push_back(run.key.value());
  }
  BELFRY_TRY(reply, database_.read(kFindLive, Params().bigints(jobs).bigints(keys)));
  return read_all(reply, read_live_run);
}

Result<std::vector<core::LiveRun>> PostgresStore::find_waiting(const Elsewhere& elsewhere) {
  // A node on its own, in the only region: there is no elsewhere, and it is asked for every second.
  // A region that has just been added is noticed with the next renewal.
  if (one_region_ && elsewhere.but.size() == kPartitionCount) {
    return std::vector<core::LiveRun>();
  }
  std::vector<std::int64_t> but;
  for (const PartitionNo partition : elsewhere.but) but.push_back(partition.value());
  const std::vector<std::string_view> queues(elsewhere.queues.begin(), elsewhere.queues.end());
  Params params;
  params.instant(now()).integer(elsewhere.first.value()).integers(but).texts(queues);
  params.bigint(to_bigint(elsewhere.most));
  std::optional<std::int64_t> tenant;
  if (elsewhere.tenant) tenant = to_bigint(elsewhere.tenant->value());
  params.maybe_bigint(tenant).integer(elsewhere.region.value());
  BELFRY_TRY(reply, database_.read(kFindWaiting, params));
  return read_all(reply, read_live_run);
}

Result<std::vector<TenantShare>> PostgresStore::unusual_tenants() {
  BELFRY_TRY(reply, database_.read(kUnusualTenants, Params()));
  return read_all(reply, [](Row row) {
    TenantShare share;
    share.tenant = TenantId(to_unsigned(row.number()));
    share.weight = static_cast<std::int32_t>(row.number());
    share.max_in_flight = static_cast<std::int32_t>(row.number());
    return share;
  });
}

Result<std::vector<LimitedType>> PostgresStore::limited_types() {
  BELFRY_TRY(reply, database_.read(kLimitedTypes, Params()));
  return read_all(reply, [](Row row) {
    LimitedType type;
    type.tenant = TenantId(to_unsigned(row.number()));
    type.name = row.text();
    type.limits = read_limits(row);
    return type;
  });
}

}  // namespace belfry::store::postgres
