#include "engine/restore/restorer.h"

#include "core/catch_up_line.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace belfry::engine {
namespace {

// Only for taking partitions; a node that starts later takes them over, and we are told.
constexpr Duration kRestoreLease = std::chrono::seconds(30);
// As few runs a second need no line: engine/ticks/ticker_late.cc.
constexpr double kLeastPerSecond = 10;

}  // namespace

// A partition with what becomes of its ticks, and what a line needs to know of its runs.
struct Restorer::Part {
  store::PartitionDecision decision;
  std::vector<core::LateRun> late;  // in step with the decision's runs
};

namespace {

// Lets the runs begin one after the other, no faster than their ticks came.
template <typename Parts>
void spread(Parts& parts, Instant since, Instant now) {
  std::vector<core::LateRun> late;
  for (const auto& part : parts) late.insert(late.end(), part.late.begin(), part.late.end());
  const double seconds = std::max(std::chrono::duration<double>(now - since).count(), 1.0);
  const double pace = std::max(static_cast<double>(late.size()) / seconds, kLeastPerSecond);
  if (static_cast<double>(late.size()) <= pace) return;
  const auto apart = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(1 / pace));
  const std::vector<Instant> starts = core::line_up(late, now, apart);
  std::size_t next = 0;
  for (auto& part : parts) {
    for (store::RunDecision& run : part.decision.decisions.runs) {
      const Instant start = starts.at(next++);
      if (start > now || run.due) run.due = start;
    }
  }
}

}  // namespace

Result<Restorer::Report> Restorer::run(core::MissedTicks missed) {
  BELFRY_CHECK(stores_.chores.begin_anew());
  BELFRY_TRY(now, stores_.ownership.clock());
  Report report{.since = now};
  BELFRY_TRY(regions, stores_.chores.list_regions());
  for (const store::ChoreStore::Region& region : regions) {
    const store::OwnershipStore::Node node{self_, "restore", region.no};
    const Status done = restore_region(node, missed, report);
    BELFRY_CHECK(stores_.ownership.leave(node));
    BELFRY_CHECK(done);
  }
  return report;
}

Status Restorer::restore_region(const store::OwnershipStore::Node& node, core::MissedTicks missed,
                                Report& report) {
  BELFRY_CHECK(stores_.ownership.renew(node, kRestoreLease));
  BELFRY_TRY(owned, stores_.ownership.acquire(node, kPartitionCount));
  BELFRY_TRY(now, stores_.ownership.clock());
  std::vector<Part> parts;
  for (const store::OwnedPartition& partition : owned) {
    BELFRY_TRY(part, plan(partition, now, missed, report));
    if (part.decision.to > part.decision.from) parts.push_back(std::move(part));
  }
  spread(parts, report.since, now);
  for (const Part& part : parts) {
    BELFRY_TRY(decided, stores_.decisions.decide(self_, std::span(&part.decision, 1)));
    if (decided.partitions.front().outcome != store::DecideOutcome::kDecided) {
      return fail({.code = Errc::kConflict,
                   .message = "somebody else uses the store while it is restored",
                   .hint = "stop the nodes, and restore again"});
    }
    report.runs += decided.runs.size();
    report.skips += static_cast<std::int64_t>(decided.overlaps);
    for (const auto& skip : part.decision.decisions.skips) report.skips += skip.count;
  }
  return {};
}

Result<Restorer::Part> Restorer::plan(const store::OwnedPartition& owned, Instant now,
                                      core::MissedTicks missed, Report& report) {
  BELFRY_TRY(loaded, stores_.decisions.load_partition(owned.partition));
  Part part{.decision = {.partition = owned.partition,
                         .epoch = owned.epoch,
                         .version = loaded.version,
                         .from = loaded.decided_through,
                         .to = std::max(now, loaded.decided_through)},
            .late = {}};
  report.since = std::min(report.since, loaded.decided_through);
  for (const store::JobRow& job : loaded.jobs) {
    if (!core::can_tick(job.status)) continue;
    const auto schedule = schedules_.of(job.tenant, job.definition.name, job.definition.schedule);
    if (!schedule) {
      ++report.broken;
      continue;
    }
    const Instant after = std::max(job.effective_from, loaded.decided_through);
    const core::Fates fates = core::decide_restored(
        store::facts_of(job), *schedule, {.after = after, .through = now, .now = now}, missed);
    append(part.decision.decisions, job.id, fates);
    for (const core::RunTick& run : fates.runs) {
      part.late.push_back({job.id, job.tenant, job.definition.policies.priority, run.tick});
    }
  }
  return part;
}

}  // namespace belfry::engine
