#include "core/retry.h"

#include <algorithm>

namespace belfry::core {
namespace {

constexpr Duration kLongestPutOff = std::chrono::hours(24);

Duration longest_wait(const EndFacts& facts) {
  Duration wait = std::max(facts.retry_base, Duration::zero());
  for (std::uint32_t i = 1; i < facts.attempt && wait < facts.retry_cap; ++i) wait *= 2;
  return std::clamp(wait, Duration::zero(), std::max(facts.retry_cap, Duration::zero()));
}

}  // namespace

EndDecision decide_end(const EndFacts& facts, Rng& rng) {
  if (facts.outcome == AttemptOutcome::kSucceeded) return {RunState::kSucceeded};
  if (facts.cancel_requested || facts.outcome == AttemptOutcome::kCancelled) {
    return {RunState::kCancelled};
  }
  const bool attempts_left = static_cast<std::int64_t>(facts.attempt) < facts.max_attempts;
  if (!facts.retryable) return {RunState::kDead, {}, DeadReason::kPermanent};
  if (!attempts_left) return {RunState::kDead, {}, DeadReason::kAttempts};
  const Duration drawn = rng.up_to(longest_wait(facts));
  return {RunState::kRetrying, std::max(drawn, std::min(facts.retry_after, kLongestPutOff))};
}

}  // namespace belfry::core
