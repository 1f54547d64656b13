#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunState;

// Runs that are decided into waiting hands.
class HandOverTest : public StoreTest {
 protected:
  HandOverTest() { own_everything(); }

  DecideResult decide_for(JobId job, int second, const std::string& queue = "default") {
    pass(tick(second).instant() - now());
    PartitionDecision made = decision(job, tick(second).instant());
    made.decisions.runs.push_back(
        {.job = job, .tick = tick(second), .taker = &taker_, .queue = &queue, .claim = kClaim});
    return decide(made);
  }
  RunRow row_of(JobId job, int second) { return must(store().find_run(ref(job, second))); }

  static constexpr std::uint64_t kClaim = 0xfeed'beef'cafe'f00d;
  const Taker taker_{.worker = "waiting", .lease = 10s};
};

TEST_P(HandOverTest, ARunIsWrittenAsGranted) {
  const JobRow job = add_job("a");
  const DecideResult result = decide_for(job.id, 60);
  ASSERT_EQ(result.granted.size(), 1U);
  const ClaimedRun& run = result.granted[0];
  EXPECT_EQ(run.run, ref(job.id, 60));
  EXPECT_EQ(run.tenant, TenantId(1));
  EXPECT_EQ(run.job_name, "a");
  EXPECT_EQ(run.job_type, "default");
  EXPECT_EQ(run.attempt, AttemptNo(1));
  EXPECT_EQ(run.scheduled_for, tick(60).instant());
  EXPECT_EQ(run.lease_until, now() + 10s);
  EXPECT_EQ(run.deadline, now() + job.definition.policies.timeout);
  EXPECT_EQ(run.stands_for, 1);
  EXPECT_EQ(run.target, job.definition.target);
  EXPECT_EQ(run.payload, job.definition.payload);
  ASSERT_EQ(result.runs.size(), 1U);
  ASSERT_TRUE(result.runs[0].held);
  EXPECT_EQ(result.runs[0].held->fence, run.fence);
  const RunRow row = row_of(job.id, 60);
  EXPECT_EQ(row.state, RunState::kRunning);
  EXPECT_EQ(row.worker, "waiting");
  EXPECT_EQ(row.attempts, 1U);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(beat(grant_of(run), 1min), HeartbeatAnswer::kExtended);
  EXPECT_TRUE(end(success(grant_of(run))));
  EXPECT_EQ(row_of(job.id, 60).state, RunState::kSucceeded);
}

TEST_P(HandOverTest, FencesGrowAsEver) {
  const JobRow job = add_job("a");
  const Fence first = decide_for(job.id, 60).granted.at(0).fence;
  must(store().trigger({.job = job.id, .key = core::RunKey(-1)}));
  const Fence second = claim(1).at(0).fence;
  const Fence third = decide_for(job.id, 120).granted.at(0).fence;
  EXPECT_LT(first, second);
  EXPECT_LT(second, third);
}

TEST_P(HandOverTest, WhoWaitsAtAnotherQueueGetsNothing) {
  const JobRow job = add_job("a");
  const DecideResult result = decide_for(job.id, 60, "elsewhere");
  EXPECT_TRUE(result.granted.empty());
  EXPECT_EQ(row_of(job.id, 60).state, RunState::kReady);
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_P(HandOverTest, AnExclusiveRunWaitsForTheOneBeforeIt) {
  const JobRow job = add_job("a", OverlapPolicy::kQueueOne);
  const DecideResult first = decide_for(job.id, 60);
  ASSERT_EQ(first.granted.size(), 1U);
  EXPECT_TRUE(decide_for(job.id, 120).granted.empty());
  EXPECT_TRUE(claim(9).empty());
  EXPECT_TRUE(end(success(grant_of(first.granted[0]))));
  EXPECT_EQ(claim(9).at(0).run, ref(job.id, 120));
}

TEST_P(HandOverTest, ATriggeredRunKeepsAnExclusiveOneWaiting) {
  const JobRow job = add_job("a", OverlapPolicy::kQueueOne);
  must(store().trigger({.job = job.id, .key = core::RunKey(-1)}));
  EXPECT_EQ(claim(1).size(), 1U);
  EXPECT_TRUE(decide_for(job.id, 60).granted.empty());
}

TEST_P(HandOverTest, ATenantStaysUnderItsLimit) {
  const TenantId limited = must(store().put_tenant({.name = "limited", .max_in_flight = 1}));
  const JobRow job = add(new_job("a", OverlapPolicy::kAllow, limited));
  decide_for(job.id, 60);
  decide_for(job.id, 120);
  claim(9);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_TRUE(decide_for(job.id, 180).granted.empty());
}

TEST_P(HandOverTest, ARepeatedDecisionGrantsNothing) {
  const JobRow job = add_job("a");
  pass(60s);
  PartitionDecision made = decision(job.id, tick(60).instant());
  const std::string queue = "default";
  made.decisions.runs.push_back(
      {.job = job.id, .tick = tick(60), .taker = &taker_, .queue = &queue});
  EXPECT_EQ(decide(made).granted.size(), 1U);
  const DecideResult again = decide(made);
  EXPECT_EQ(again.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_TRUE(again.granted.empty());
}

// After a lost reply the number tells whose grant it is.
TEST_P(HandOverTest, AGrantCarriesTheNumberOfItsDecision) {
  const JobRow job = add_job("a");
  decide_for(job.id, 60);
  must(store().trigger({.job = job.id, .key = core::RunKey(-1)}));
  pass(1s);
  claim(1);
  const std::vector asked{ref(job.id, 60), core::RunRef{job.id, core::RunKey(-1)}};
  for (const core::LiveRun& run : must(store().find_live(asked))) {
    ASSERT_TRUE(run.held);
    EXPECT_EQ(run.held->claim == kClaim, run.run == asked[0]);
  }
}

BELFRY_FOR_EACH_STORE(HandOverTest);

}  // namespace
}  // namespace belfry::store
