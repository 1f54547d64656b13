#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/grant.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/decisions.h"
#include "store/sqlite/ticks/partition_row.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace belfry::store::sqlite {

namespace {

// What a partition's row says to a decision: refused, done before, or to be written.
enum class Standing : std::uint8_t { kDeposed, kOutdated, kEarly, kRepeated, kGood };

Standing standing_of(const PartitionRow& row, const Incarnation& node,
                     const PartitionDecision& decision, Instant now) {
  if (row.owner != node || row.epoch != decision.epoch) return Standing::kDeposed;
  if (row.version != decision.version) return Standing::kOutdated;
  if (row.decided_through == decision.to) return Standing::kRepeated;
  if (row.decided_through != decision.from) return Standing::kOutdated;
  if (decision.to > now) return Standing::kEarly;
  return Standing::kGood;
}

DecideOutcome outcome_of(Standing standing) {
  switch (standing) {
    case Standing::kDeposed: return DecideOutcome::kDeposed;
    case Standing::kOutdated: return DecideOutcome::kOutdated;
    case Standing::kEarly: return DecideOutcome::kEarly;
    case Standing::kRepeated:
    case Standing::kGood: break;
  }
  return DecideOutcome::kDecided;
}

// Hands runs that were just written to those who wait for them.
Status hand_over(const Session& session, const Decisions& decisions, DecideResult& result,
                 std::size_t first) {
  std::map<core::RunRef, const RunDecision*> wanted;
  for (const RunDecision& run : decisions.runs) {
    if (run.taker != nullptr) wanted[{run.job, core::run_key_of(run.tick)}] = &run;
  }
  if (wanted.empty()) return {};
  GrantRequest request;
  for (std::size_t i = first; i < result.runs.size(); ++i) {
    const core::LiveRun& run = result.runs[i];
    const auto found = wanted.find(run.run);
    if (found == wanted.end() || *found->second->queue != run.queue) continue;
    request.runs.push_back({.run = run.run, .tenant = run.tenant, .taker = request.takers.size()});
    request.takers.push_back(*found->second->taker);
    request.claim = found->second->claim;
  }
  BELFRY_TRY(granted, grant_runs(session, request));
  for (ClaimedRun& grant : granted) {
    core::LiveRun& run = *std::ranges::find(result.runs, grant.run, &core::LiveRun::run);
    run.held = {.fence = grant.fence, .until = std::min(grant.lease_until, grant.deadline)};
    grant.taker = 0;
    result.granted.push_back(std::move(grant));
  }
  return {};
}

Result<DecideResult> decide_all(const Session& session, const Incarnation& node,
                                std::span<const PartitionDecision> partitions) {
  DecideResult result{.decided_at = session.now};
  result.partitions.reserve(partitions.size());
  for (const PartitionDecision& decision : partitions) {
    BELFRY_TRY(row, read_partition(session, decision.partition));
    const Standing standing = standing_of(row, node, decision, session.now);
    if (standing == Standing::kGood) {
      BELFRY_CHECK(session.db.run(kRaiseCursor, decision.partition, decision.to));
      row.decided_through = decision.to;
      BELFRY_TRY(written, write_decisions(session, decision.partition,
                                          {.epoch = row.epoch, .node = node}, decision.decisions));
      const std::size_t first = result.runs.size();
      std::ranges::move(written.runs, std::back_inserter(result.runs));
      std::ranges::move(written.told, std::back_inserter(result.told));
      BELFRY_CHECK(hand_over(session, decision.decisions, result, first));
      result.overlaps += written.overlaps;
    }
    result.partitions.push_back({.partition = decision.partition,
                                 .outcome = outcome_of(standing),
                                 .decided_through = row.decided_through,
                                 .version = row.version});
  }
  return result;
}

}  // namespace

Result<DecideResult> SqliteStore::decide(const Incarnation& node,
                                         std::span<const PartitionDecision> partitions) {
  return write([&](const Session& session) { return decide_all(session, node, partitions); });
}

}  // namespace belfry::store::sqlite
