#include "core/retry.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

EndFacts failed(std::uint32_t attempt) {
  return {.outcome = AttemptOutcome::kFailed,
          .attempt = attempt,
          .max_attempts = 10,
          .retry_base = seconds(5),
          .retry_cap = minutes(5)};
}

TEST(RetryTest, WaitsAreSpreadBelowADoublingBoundThatIsCapped) {
  Rng rng(1);
  const Duration bounds[] = {seconds(5),  seconds(10),  seconds(20), seconds(40),
                             seconds(80), seconds(160), minutes(5),  minutes(5)};
  for (std::uint32_t attempt = 1; attempt <= 8; ++attempt) {
    Duration longest{};
    for (int i = 0; i < 300; ++i) {
      const EndDecision decision = decide_end(failed(attempt), rng);
      ASSERT_EQ(decision.next, RunState::kRetrying);
      ASSERT_LE(decision.wait, bounds[attempt - 1]);
      longest = std::max(longest, decision.wait);
    }
    EXPECT_GT(longest, bounds[attempt - 1] * 9 / 10);
  }
}

TEST(RetryTest, EndsAsItShould) {
  Rng rng(1);
  EXPECT_EQ(decide_end({.outcome = AttemptOutcome::kSucceeded}, rng).next, RunState::kSucceeded);
  EXPECT_EQ(decide_end(failed(10), rng).next, RunState::kDead);
  EndFacts permanent = failed(1);
  permanent.retryable = false;
  EXPECT_EQ(decide_end(permanent, rng).next, RunState::kDead);
  EndFacts cancelled = failed(1);
  cancelled.cancel_requested = true;
  EXPECT_EQ(decide_end(cancelled, rng).next, RunState::kCancelled);
  EndFacts lost = failed(3);
  lost.outcome = AttemptOutcome::kLeaseLost;
  EXPECT_EQ(decide_end(lost, rng).next, RunState::kRetrying);
}

TEST(RetryTest, DoesNotOverflowOnLargeAttempts) {
  Rng rng(1);
  EndFacts facts = failed(4'000'000'000);
  facts.max_attempts = 2'000'000'000;
  EXPECT_EQ(decide_end(facts, rng).next, RunState::kDead);
  facts = failed(1'000'000);
  facts.max_attempts = 2'000'000;
  EXPECT_LE(decide_end(facts, rng).wait, minutes(5));
}

}  // namespace
}  // namespace belfry::core
