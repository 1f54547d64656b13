#include "engine/dispatch/reaper.h"

#include "core/retry.h"

#include <set>
#include <string>
#include <vector>

namespace belfry::engine {
namespace {

constexpr std::size_t kBatch = 200;

core::AttemptOutcome outcome_of(const store::AttemptFacts& facts) {
  if (facts.cancel_requested) return core::AttemptOutcome::kCancelled;
  return facts.timed_out ? core::AttemptOutcome::kTimedOut : core::AttemptOutcome::kLeaseLost;
}

std::string words_for(const store::AttemptFacts& facts, bool is_node_gone) {
  if (is_node_gone) return "the node that worked on it is gone";
  if (facts.cancel_requested) return "it was cancelled, and its worker did not stop in time";
  return facts.timed_out ? "the attempt ran into its timeout" : "the worker's lease ran out";
}

store::AttemptEnd end_of(const store::AttemptFacts& facts, bool is_node_gone, Rng& rng) {
  const core::AttemptOutcome outcome = outcome_of(facts);
  const core::EndDecision decision = core::decide_end({.outcome = outcome,
                                                       .cancel_requested = facts.cancel_requested,
                                                       .attempt = facts.attempt.value(),
                                                       .max_attempts = facts.max_attempts,
                                                       .retry_base = facts.retry_base,
                                                       .retry_cap = facts.retry_cap},
                                                      rng);
  return {.grant = facts.grant,
          .outcome = outcome,
          .next = decision.next,
          .wait = decision.wait,
          .error = words_for(facts, is_node_gone),
          .only_if_expired = true,
          .reason = decision.reason};
}

}  // namespace

Result<Reaper::Report> Reaper::run_once() {
  Report report;
  BELFRY_CHECK(end_expired(report));
  BELFRY_CHECK(give_up_unstarted(report));
  return report;
}

Status Reaper::end_expired(Report& report) {
  BELFRY_TRY(expired, live_.find_expired(kBatch));
  if (expired.empty()) return {};
  std::vector<store::RunGrant> grants;
  std::set<store::RunGrant> of_gone_nodes;
  for (const LiveRuns::Expired& each : expired) {
    grants.push_back(each.grant);
    if (each.is_node_gone) of_gone_nodes.insert(each.grant);
  }
  BELFRY_TRY(all_facts, store_.facts_of(grants));
  std::vector<store::AttemptEnd> ends;
  ends.reserve(all_facts.size());
  for (const store::AttemptFacts& facts : all_facts) {
    ends.push_back(end_of(facts, of_gone_nodes.contains(facts.grant), rng_));
  }
  BELFRY_TRY(applied, store_.end_attempts(ends));
  report.found = expired.size();
  std::vector<core::RunRef> runs;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!applied[i]) continue;
    ++report.ended;
    observer_.ended(ends[i]);
    runs.push_back(ends[i].grant.run);
  }
  live_.changed(runs);
  return {};
}

Status Reaper::give_up_unstarted(Report& report) {
  const std::vector<core::RunRef> unstarted = live_.find_unstarted(kBatch);
  if (unstarted.empty()) return {};
  BELFRY_TRY(given_up, store_.give_up(unstarted));
  report.given_up = given_up.size();
  for (const core::RunRef& run : given_up) {
    observer_.ended({.grant = {.run = run},
                     .next = core::RunState::kDead,
                     .error = "it was not started in time (start_within)",
                     .reason = core::DeadReason::kNotStarted});
  }
  live_.changed(unstarted);
  return {};
}

}  // namespace belfry::engine
