#include "server/metrics/engine_metrics.h"

#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/reason.h"
#include "core/spelling.h"

#include <algorithm>
#include <array>
#include <vector>

namespace belfry::server {
namespace {

using core::RunState;
using core::SkipReason;

constexpr std::array kReasons{SkipReason::kPaused,          SkipReason::kCancelled,
                              SkipReason::kCalendar,        SkipReason::kOutOfBounds,
                              SkipReason::kDstGap,          SkipReason::kMisfireExpired,
                              SkipReason::kMisfireSkipped,  SkipReason::kMisfireCoalesced,
                              SkipReason::kMisfireLimit,    SkipReason::kOverlap,
                              SkipReason::kOverlapReplaced, SkipReason::kQuota,
                              SkipReason::kScheduleChanged, SkipReason::kCalendarCoalesced,
                              SkipReason::kCommitsLost,     SkipReason::kRestored};

// A decision about the past day is late, but worth telling apart from one about the past minute.
std::vector<double> lag_buckets() {
  std::vector<double> buckets = latency_buckets();
  buckets.insert(buckets.end(), {300, 3'600});
  return buckets;
}

}  // namespace

EngineMetrics::EngineMetrics(MetricRegistry& registry, Logger& log)
    : log_(log),
      fire_lag_(registry.histogram("fire_lag_seconds",
                                   "From a tick's time until its run was written.", lag_buckets())),
      start_lag_(registry.histogram("start_lag_seconds",
                                    "From a run's scheduled time until a worker first claimed it.",
                                    lag_buckets())),
      ticks_(registry.counters("ticks_total", "Ticks that got their fate: run or skip.", {"fate"})),
      ticks_run_(ticks_.with({"run"})),
      ticks_skipped_(ticks_.with({"skip"})),
      skips_(registry.counters("skips_total", "Ticks that got no run, by reason.", {"reason"})),
      runs_(registry.counters("runs_total", "Runs that ended, by their last state.", {"outcome"})),
      failovers_(
          registry.counter("failovers_total", "Partitions taken over from nodes that vanished.")),
      lost_commits_(registry.counter("lost_commits_total",
                                     "Times that the database lacked what it had committed.")) {
  // There from the start, so that a rate counts from the first one on.
  for (const SkipReason reason : kReasons) skips_.with({core::name_of(reason)});
  for (const auto& [word, state] : core::kRunStates) {
    if (!core::is_live(state)) runs_.with({word});
  }
}

void EngineMetrics::skipped(SkipReason reason, std::uint64_t ticks) {
  ticks_skipped_.add(ticks);
  skips_.with({core::name_of(reason)}).add(ticks);
}

void EngineMetrics::decided(const store::Decisions& decisions, std::size_t overlaps, Instant at) {
  // A decision that is repeated because its reply was lost does not say how many overlapped.
  ticks_run_.add(decisions.runs.size() - std::min(overlaps, decisions.runs.size()));
  if (overlaps > 0) skipped(SkipReason::kOverlap, overlaps);
  for (const store::RunDecision& run : decisions.runs) fire_lag_.observe(at - run.tick.instant());
  for (const store::SkipDecision& skip : decisions.skips) {
    skipped(skip.reason, static_cast<std::uint64_t>(skip.count));
  }
}

void EngineMetrics::claimed(const store::ClaimedRun& run, Instant at) {
  if (run.attempt == AttemptNo(1)) start_lag_.observe(at - run.due);
}

void EngineMetrics::ended(const store::AttemptEnd& end) {
  if (core::is_live(end.next)) return;
  runs_.with({core::word_for(end.next, core::kRunStates)}).add();
  if (end.next == RunState::kDead) died(end);
}

void EngineMetrics::died(const store::AttemptEnd& end) {
  const bool is_untried = end.reason == core::DeadReason::kNotStarted;
  log_.warn(
      "dead_letter",
      {{"run", core::write_run_id(end.grant.run)},
       {"job", core::write_job_id(end.grant.run.job)},
       {"outcome", std::string(is_untried ? core::word_for(end.reason, core::kDeadReasons)
                                          : core::word_for(end.outcome, core::kAttemptOutcomes))},
       {"error", end.error}});
}

void EngineMetrics::violated(const store::LedgerViolation& violation) {
  const core::LedgerFlaw& flaw = violation.flaw;
  log_.error("ledger_violated", {{"job", core::write_job_id(violation.job)},
                                 {"name", violation.name},
                                 {"kind", core::name_of(flaw.kind)},
                                 {"tick", format_instant(flaw.first.instant())},
                                 {"last_tick", format_instant(flaw.last.instant())},
                                 {"ticks", flaw.count},
                                 {"revision", flaw.revision},
                                 {"evidence", flaw.evidence}});
}

void EngineMetrics::took_over(std::size_t partitions) {
  failovers_.add(partitions);
}

void EngineMetrics::lost_commits(const engine::LostCommits& lost) {
  lost_commits_.add();
  log_.error("commits_lost", {{"after", lost.after ? format_instant(*lost.after) : "unknown"},
                              {"through", format_instant(lost.through)},
                              {"era", lost.era.value()}});
}

}  // namespace belfry::server
