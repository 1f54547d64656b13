#include "store/postgres/decide.h"

#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <unordered_map>

namespace belfry::store::postgres {
namespace {

constexpr std::int64_t kIsRun = -1;  // where a skip has its reason

// Runs and skips as columns; the statement puts each job's in the order of the ticks.
struct Events {
  std::vector<std::int64_t> jobs;
  std::vector<std::optional<Instant>> firsts;
  std::vector<std::optional<Instant>> lasts;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> reasons;
  std::vector<std::int64_t> epochs;

  void add(JobId job, Tick first, Tick last, std::int64_t count, std::int64_t reason, Epoch epoch) {
    jobs.push_back(to_bigint(job.value()));
    firsts.emplace_back(first.instant());
    lasts.emplace_back(last.instant());
    counts.push_back(count);
    reasons.push_back(reason);
    epochs.push_back(to_bigint(epoch.value()));
  }
  void add(const Decisions& decisions, Epoch epoch) {
    for (const RunDecision& run : decisions.runs) {
      add(run.job, run.tick, run.tick, run.stands_for, kIsRun, epoch);
    }
    for (const SkipDecision& skip : decisions.skips) {
      add(skip.job, skip.first, skip.last, skip.count, static_cast<std::int64_t>(skip.reason),
          epoch);
    }
  }
};

}  // namespace

Params decide_params(std::optional<Instant> now, const Incarnation& node, DecideMode mode,
                     std::span<const PartitionDecision> partitions) {
  std::vector<std::int64_t> ids;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> versions;
  std::vector<std::optional<Instant>> from;
  std::vector<std::optional<Instant>> to;
  Events events;
  for (const PartitionDecision& partition : partitions) {
    ids.push_back(partition.partition.value());
    epochs.push_back(to_bigint(partition.epoch.value()));
    versions.push_back(to_bigint(partition.version.value()));
    from.emplace_back(partition.from);
    to.emplace_back(partition.to);
    events.add(partition.decisions, partition.epoch);
  }
  Params params;
  params.instant(now).uuid(node.value()).boolean(mode == DecideMode::kSettle);
  params.integers(ids).bigints(epochs).bigints(versions).instants(from).instants(to);
  params.bigints(events.jobs).instants(events.firsts).instants(events.lasts);
  params.bigints(events.counts).smallints(events.reasons).bigints(events.epochs);
  return params;
}

Result<DecideResult> PostgresStore::decide(const Incarnation& node,
                                           std::span<const PartitionDecision> partitions) {
  BELFRY_TRY(reply, database_.write(kDecide,
                                    decide_params(now(), node, DecideMode::kAdvance, partitions)));
  DecideResult result;
  std::unordered_map<PartitionNo, PartitionOutcome> outcomes;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    PartitionOutcome outcome;
    outcome.partition = PartitionNo(static_cast<std::uint16_t>(row.number()));
    outcome.outcome = static_cast<DecideOutcome>(row.number());
    outcome.decided_through = row.instant();
    outcome.version = JobsVersion(to_unsigned(row.number()));
    outcomes.emplace(outcome.partition, outcome);
    result.runs = static_cast<std::size_t>(row.number());
    result.overlaps = static_cast<std::size_t>(row.number());
    result.decided_at = row.instant();
  }
  for (const PartitionDecision& asked : partitions) {
    const auto found = outcomes.find(asked.partition);
    // A partition without a row cannot be owned.
    result.partitions.push_back(
        found != outcomes.end()
            ? found->second
            : PartitionOutcome{.partition = asked.partition, .outcome = DecideOutcome::kDeposed});
  }
  return result;
}

}  // namespace belfry::store::postgres
