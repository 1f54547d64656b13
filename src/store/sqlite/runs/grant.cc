#include "store/sqlite/runs/grant.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <algorithm>
#include <map>
#include <optional>

namespace belfry::store::sqlite {

namespace {

std::optional<Incarnation> holder_of(const Taker& taker) {
  return taker.holder == Incarnation() ? std::nullopt : std::optional(taker.holder);
}

// Hands out what a request wants, one run after the other.
class Granting {
 public:
  Granting(const Session& session, const GrantRequest& request)
      : session_(session), request_(request) {}

  Result<std::vector<ClaimedRun>> run();

 private:
  // A type that has limits, and how it stands.
  struct Type {
    LimitedType limited;
    std::int64_t held = 0;
    std::optional<Instant> paid_until;
    std::int64_t started = 0;  // by this call
  };

  Result<std::optional<std::int64_t>*> room_of(TenantId tenant);
  // Null where the run's type has no limits.
  Result<Type*> type_of(const core::RunRef& run);
  std::int64_t room_of(const Type& type) const;
  Status pay();
  Status grant(const GrantRequest::Wanted& wanted);

  const Session& session_;
  const GrantRequest& request_;
  Fence fence_;
  std::map<TenantId, std::optional<std::int64_t>> rooms_;  // none: no limit
  bool any_limited_type_ = false;
  std::map<std::pair<TenantId, std::string>, Type> types_;
  std::vector<ClaimedRun> granted_;
};

Result<std::vector<ClaimedRun>> Granting::run() {
  BELFRY_TRY(fence, session_.db.value<Fence>(kLastFence));
  fence_ = fence;
  BELFRY_TRY(any_limited_type, session_.db.value<bool>(kAnyLimitedType));
  any_limited_type_ = any_limited_type;
  for (const GrantRequest::Wanted& wanted : request_.runs) BELFRY_CHECK(grant(wanted));
  if (!granted_.empty()) BELFRY_CHECK(session_.db.run(kKeepLastFence, fence_));
  BELFRY_CHECK(pay());
  return std::move(granted_);
}

Result<std::optional<std::int64_t>*> Granting::room_of(TenantId tenant) {
  const auto found = rooms_.find(tenant);
  if (found != rooms_.end()) return &found->second;
  auto& room = rooms_[tenant];
  const auto read = [&](Row& row) { row.read(room); };
  BELFRY_CHECK(session_.db.first(kRoomOfTenant, read, tenant));
  return &room;
}

Result<Granting::Type*> Granting::type_of(const core::RunRef& run) {
  if (!any_limited_type_) return nullptr;
  Type read;
  const auto take = [&](Row& row) {
    core::TypeLimits& limits = read.limited.limits;
    row.read(read.limited.tenant, read.limited.name, limits.max_concurrent, limits.starts,
             limits.per, limits.burst, read.paid_until, read.held);
  };
  BELFRY_TRY(found, session_.db.first(kRoomOfType, take, run));
  if (!found) return nullptr;
  const auto name = std::pair(read.limited.tenant, read.limited.name);
  return &types_.try_emplace(name, std::move(read)).first->second;
}

std::int64_t Granting::room_of(const Type& type) const {
  const core::TypeLimits& limits = type.limited.limits;
  std::int64_t room = core::room_of(limits, type.held, type.paid_until, session_.now);
  if (limits.starts > 0) {
    room = std::min(room, core::room_by_rate(limits, type.paid_until, session_.now) - type.started);
  }
  return room;
}

Status Granting::pay() {
  for (const auto& [name, type] : types_) {
    if (type.started == 0 || type.limited.limits.starts == 0) continue;
    const Instant until =
        core::pay_for(type.limited.limits, type.paid_until, session_.now, type.started);
    BELFRY_CHECK(session_.db.run(kPayForStarts, name.first, name.second, until));
  }
  return {};
}

Status Granting::grant(const GrantRequest::Wanted& wanted) {
  BELFRY_TRY(room, room_of(wanted.tenant));
  if (*room && **room <= 0) return {};
  BELFRY_TRY(type, type_of(wanted.run));
  if (type != nullptr && room_of(*type) <= 0) return {};
  const Taker& taker = request_.takers[wanted.taker];
  ClaimedRun run{.taker = wanted.taker, .run = wanted.run, .fence = Fence(fence_.value() + 1)};
  run.lease_until = session_.now + taker.lease;
  BELFRY_TRY(changed, session_.db.run(kGrantRun, run.run, run.fence, taker.worker, session_.now,
                                      run.lease_until, room->has_value() || type != nullptr,
                                      holder_of(taker), request_.claim, taker.region));
  if (changed == 0) return {};
  fence_ = run.fence;
  if (type != nullptr) {
    ++type->held;
    ++type->started;
  }
  if (*room) --**room;
  const auto read = [&](Row& row) {
    row.read(run.tenant, run.job_name, run.job_type, run.attempt, run.scheduled_for, run.due,
             run.deadline, run.stands_for, run.target, run.payload);
  };
  BELFRY_CHECK(session_.db.first(kGrantedRun, read, run.run));
  session_.events.add(run.tenant, RunEvent{run.run, core::RunState::kRunning});
  granted_.push_back(std::move(run));
  return {};
}

core::LiveRun read_live_run(Row& row) {
  core::LiveRun run;
  bool running = false;
  core::LiveRun::Held held;
  std::optional<Instant> until;
  row.read(run.run, run.tenant, run.queue, run.priority, run.due, run.exclusive, running,
           held.fence, until, held.claim);
  std::optional<Incarnation> holder;
  core::RunIn run_in{};
  row.read(holder, run.start_by, run.type, run_in);
  run.region = core::region_for(run.run.job, run_in);
  held.holder = holder.value_or(Incarnation());
  held.until = until.value_or(Instant::min());
  if (running) run.held = held;
  return run;
}

}  // namespace

Result<std::vector<ClaimedRun>> grant_runs(const Session& session, const GrantRequest& request) {
  return Granting(session, request).run();
}

Result<std::vector<ClaimedRun>> SqliteStore::grant(const GrantRequest& request) {
  return write([&](const Session& session) { return grant_runs(session, request); });
}

Result<std::vector<core::LiveRun>> SqliteStore::read_live(std::span<const PartitionNo> partitions) {
  return read([&](const Session& session) -> Result<std::vector<core::LiveRun>> {
    std::vector<core::LiveRun> runs;
    const auto add = [&](Row& row) { runs.push_back(read_live_run(row)); };
    for (const PartitionNo partition : partitions) {
      BELFRY_CHECK(session.db.each(kReadLive, add, partition));
    }
    return runs;
  });
}

Result<std::vector<core::LiveRun>> SqliteStore::find_live(std::span<const core::RunRef> asked) {
  return read([&](const Session& session) -> Result<std::vector<core::LiveRun>> {
    std::vector<core::LiveRun> runs;
    const auto add = [&](Row& row) { runs.push_back(read_live_run(row)); };
    for (const core::RunRef& run : asked) BELFRY_CHECK(session.db.first(kFindLive, add, run));
    return runs;
  });
}

// One process owns all partitions here, so there is hardly ever anything to find.
Result<std::vector<core::LiveRun>> SqliteStore::find_waiting(const Elsewhere& elsewhere) {
  return read([&](const Session& session) -> Result<std::vector<core::LiveRun>> {
    std::vector<core::LiveRun> runs;
    const auto add = [&](Row& row) {
      core::LiveRun run = read_live_run(row);
      const bool wanted = (!elsewhere.tenant || run.tenant == *elsewhere.tenant) &&
                          (!run.region || *run.region == elsewhere.region) &&
                          std::ranges::count(elsewhere.queues, run.queue) > 0 &&
                          std::ranges::count(elsewhere.but, partition_of(run.run.job)) == 0;
      if (wanted && runs.size() < elsewhere.most) runs.push_back(std::move(run));
    };
    BELFRY_CHECK(session.db.each(kFindWaiting, add, session.now));
    return runs;
  });
}

Result<std::vector<TenantShare>> SqliteStore::unusual_tenants() {
  return read([&](const Session& session) -> Result<std::vector<TenantShare>> {
    std::vector<TenantShare> tenants;
    const auto add = [&](Row& row) {
      TenantShare& share = tenants.emplace_back();
      row.read(share.tenant, share.weight, share.max_in_flight);
    };
    BELFRY_CHECK(session.db.each(kUnusualTenants, add));
    return tenants;
  });
}

Result<std::vector<LimitedType>> SqliteStore::limited_types() {
  return read([&](const Session& session) -> Result<std::vector<LimitedType>> {
    std::vector<LimitedType> types;
    const auto add = [&](Row& row) {
      auto& [tenant, name, limits] = types.emplace_back();
      row.read(tenant, name, limits.max_concurrent, limits.starts, limits.per, limits.burst);
    };
    BELFRY_CHECK(session.db.each(kLimitedTypes, add));
    return types;
  });
}

}  // namespace belfry::store::sqlite
