#pragma once

#include "store/runs.h"

namespace belfry::rehearse {

// The part of a store of runs that only people, and the faults of a network, ask for. Nobody does
// in a rehearsal, and whoever did would be told so.
class UnaskedRuns : public store::RunStore {
 public:
  Result<std::vector<core::LiveRun>> find_waiting(const store::Elsewhere& elsewhere) override;
  Result<std::vector<std::optional<core::AttemptOutcome>>> outcomes_of(
      std::span<const store::RunGrant> grants) override;
  Status note_late(std::span<const store::LateReport> reports) override;
  Status return_runs(std::span<const store::RunGrant> grants, Duration wait) override;
  Result<store::RunRow> trigger(const Trigger& trigger) override;
  Result<std::vector<store::BackfillFate>> backfill(const Backfill& backfill) override;
  Result<store::RunRow> retry_run(const Retry& wanted) override;
  Result<bool> unstick_run(const core::RunRef& run, const std::string& note,
                           const store::Author& author) override;
  Result<bool> cancel_run(const core::RunRef& run, const store::Author& author) override;
};

}  // namespace belfry::rehearse
