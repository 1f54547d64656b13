#include "engine/reaper.h"

#include "core/retry.h"

#include <vector>

namespace belfry::engine {
namespace {

constexpr std::size_t kBatch = 200;

store::AttemptEnd end_of(const store::AttemptFacts& facts, Rng& rng) {
  const core::AttemptOutcome outcome =
      facts.timed_out ? core::AttemptOutcome::kTimedOut : core::AttemptOutcome::kLeaseLost;
  const core::EndDecision decision = core::decide_end({.outcome = outcome,
                                                       .cancel_requested = facts.cancel_requested,
                                                       .attempt = facts.attempt.value(),
                                                       .max_attempts = facts.max_attempts,
                                                       .retry_base = facts.retry_base,
                                                       .retry_cap = facts.retry_cap},
                                                      rng);
  return {
      .grant = facts.grant,
      .outcome = outcome,
      .next = decision.next,
      .wait = decision.wait,
      .error = facts.timed_out ? "the attempt ran into its timeout" : "the worker's lease ran out",
      .only_if_expired = true};
}

}  // namespace

Result<Reaper::Report> Reaper::run_once() {
  BELFRY_TRY(expired, live_.find_expired(kBatch));
  if (expired.empty()) return Report{};
  BELFRY_TRY(all_facts, store_.facts_of(expired));
  std::vector<store::AttemptEnd> ends;
  ends.reserve(all_facts.size());
  for (const store::AttemptFacts& facts : all_facts) ends.push_back(end_of(facts, rng_));
  BELFRY_TRY(applied, store_.end_attempts(ends));
  Report report{.found = expired.size()};
  std::vector<core::RunRef> runs;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!applied[i]) continue;
    ++report.ended;
    observer_.ended(ends[i].next);
    if (ends[i].next == core::RunState::kDead) observer_.died(ends[i]);
    runs.push_back(ends[i].grant.run);
  }
  live_.changed(runs);
  return report;
}

}  // namespace belfry::engine
