#pragma once

#include "base/log/log.h"
#include "base/metrics/metrics.h"
#include "engine/observer.h"

#include <cstdint>

namespace belfry::server {

// What the duties of a node do, as metrics; docs/reference/metrics.md explains each. A dead letter
// is also logged, and so are lost commits and what is wrong with the ledger.
class EngineMetrics final : public engine::Observer {
 public:
  EngineMetrics(MetricRegistry& registry, Logger& log);

  void decided(const store::Decisions& decisions, std::size_t overlaps, Instant at) override;
  void claimed(const store::ClaimedRun& run, Instant at) override;
  void ended(const store::AttemptEnd& end) override;
  void violated(const store::LedgerViolation& violation) override;
  void took_over(std::size_t partitions) override;
  void lost_commits(const engine::LostCommits& lost) override;

 private:
  void died(const store::AttemptEnd& end);
  void skipped(core::SkipReason reason, std::uint64_t ticks);

  Logger& log_;
  Histogram& fire_lag_;
  Histogram& start_lag_;
  Family<Counter>& ticks_;
  Counter& ticks_run_;
  Counter& ticks_skipped_;
  Family<Counter>& skips_;
  Family<Counter>& runs_;
  Counter& failovers_;
  Counter& lost_commits_;
};

}  // namespace belfry::server
