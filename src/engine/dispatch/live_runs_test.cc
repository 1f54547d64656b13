#include "engine/dispatch/live_runs.h"

#include "tests/engine/dispatch_fixture.h"

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;
using store::Fault;

class LiveRunsTest : public DispatchFixture {
 protected:
  std::vector<ClaimedRun> claim(std::size_t most, bool elsewhere = false) {
    return must(live_.claim({.job_types = {"default"},
                             .shares = {{.taker = {.worker = "w"}, .max_runs = most}},
                             .elsewhere = elsewhere}));
  }
  // Somebody else hands the runs out, without a word.
  std::vector<ClaimedRun> claim_behind_its_back(std::size_t most) {
    return must(test::claim(
        *truth_, {.job_types = {"default"}, .takers = {{.worker = "other", .max_runs = most}}}));
  }
};

TEST_F(LiveRunsTest, HandsOutWhatItIsToldOf) {
  trigger(add_job(), 3);
  EXPECT_TRUE(claim(9).empty());
  catch_up();
  EXPECT_EQ(claim(2).size(), 2U);
  EXPECT_EQ(claim(9).size(), 1U);
  EXPECT_TRUE(claim(9).empty());
}

TEST_F(LiveRunsTest, ABookThatRepeatsIsRefused) {
  trigger(add_job(), 3);
  catch_up();
  EXPECT_EQ(claim_behind_its_back(2).size(), 2U);
  EXPECT_EQ(claim(9).size(), 1U);  // it was wrong about the others, and has learned
  EXPECT_TRUE(claim(9).empty());
}

TEST_F(LiveRunsTest, ATypeThatKeepsToItsRateIsTriedAgainInTime) {
  must(truth_->put_type(
      {.tenant = TenantId(1), .name = "default", .limits = {.starts = 10, .burst = 2}}, {}));
  trigger(add_job(), 4);
  pass(1s);  // limits are read that often
  catch_up();
  EXPECT_EQ(claim(9).size(), 2U);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(live_.until_next_due(), Duration(100ms)) << "whoever waits is woken then";
  pass(100ms);
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, ATypeThatIsFullIsTriedAgainWhenARunEnds) {
  must(truth_->put_type({.tenant = TenantId(1), .name = "default", .limits = {.max_concurrent = 2}},
                        {}));
  trigger(add_job(), 4);
  pass(1s);
  catch_up();
  const auto held = claim(9);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_TRUE(claim(9).empty());
  const store::RunGrant ended{held[0].run, held[0].fence};
  must(truth_->return_runs({&ended, 1}));
  EXPECT_TRUE(claim(9).empty()) << "it is put aside";
  live_.ended({&ended, 1});
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, ABookThatForgetsIsReadAgain) {
  trigger(add_job(), 2);
  must(truth_->await_hints({}));  // lost
  catch_up();
  EXPECT_TRUE(claim(9).empty());
  for (int i = 0; i <= 60; ++i) {
    pass(1s);
    must(live_.run_once(now()));
  }
  EXPECT_EQ(claim(9).size(), 2U);
}

TEST_F(LiveRunsTest, WhatItWasToldOfIsNotForgottenWhenALookFails) {
  trigger(add_job(), 1);
  live_.look_at(must(truth_->await_hints({})));
  next("find_live", Fault::kUnavailable);
  EXPECT_FALSE(live_.run_once(now()));
  EXPECT_EQ(live_.next_wakeup(), BootInstant::min());
  must(live_.run_once(now()));
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, WhatNobodyWasToldOfIsGivenBackEvenIfThatFailsOnce) {
  const JobId job = add_job();
  trigger(job, 1);
  catch_up();
  next("grant", Fault::kLostReply);
  EXPECT_FALSE(live_.claim({.job_types = {"default"}, .shares = {{.taker = {.worker = "w"}}}}));
  const core::RunRef untold = must(truth_->runs_of(job)).at(0).run;
  next("return_runs", Fault::kUnavailable);
  EXPECT_FALSE(live_.run_once(now()));
  EXPECT_EQ(row_of(untold).state, core::RunState::kRunning);
  must(live_.run_once(now()));
  EXPECT_EQ(row_of(untold).state, core::RunState::kReady);
  EXPECT_EQ(calls("return_runs"), 2);
}

TEST_F(LiveRunsTest, WhatOthersHoldIsRescuedToo) {
  trigger(add_job(), 1);
  catch_up();
  const auto runs = claim_behind_its_back(1);
  EXPECT_TRUE(claim(9).empty());  // refused: now it knows who holds it
  pass(29s);
  EXPECT_TRUE(must(live_.find_expired(9)).empty());
  pass(1s);
  EXPECT_EQ(must(live_.find_expired(9)),
            (std::vector{LiveRuns::Expired{.grant = grant_of(runs.at(0))}}));
}

TEST_F(LiveRunsTest, WhoBeatsElsewhereIsNotRescued) {
  trigger(add_job(), 1);
  catch_up();
  const RunGrant grant = grant_of(claim(1).at(0));
  must(truth_->heartbeat({&grant, 1}, 5min));
  pass(30s);
  EXPECT_TRUE(must(live_.find_expired(9)).empty());
  pass(270s);
  EXPECT_EQ(must(live_.find_expired(9)).size(), 1U);
}

TEST_F(LiveRunsTest, AnEndedRunLetsTheNextOfItsJobGo) {
  trigger(add_job("default", core::OverlapPolicy::kForbid), 2);
  catch_up();
  const auto first = claim(9);
  ASSERT_EQ(first.size(), 1U);
  const RunGrant grant = grant_of(first[0]);
  const store::AttemptEnd end{.grant = grant,
                              .outcome = core::AttemptOutcome::kSucceeded,
                              .next = core::RunState::kSucceeded};
  must(truth_->end_attempts({&end, 1}));
  live_.ended({&grant, 1});
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, ATenantAtItsLimitIsPutAsideUntilSomethingEnds) {
  const TenantId limited = must(truth_->put_tenant({.name = "limited", .max_in_flight = 2}));
  trigger(add_job("default", core::OverlapPolicy::kAllow, limited), 10);
  pass(1s);  // the limit is read
  catch_up();
  const auto first = claim(9);
  ASSERT_EQ(first.size(), 2U);
  const int grants = calls("grant");
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(calls("grant"), grants);  // it does not ask again and again
  const RunGrant grant = grant_of(first[0]);
  const store::AttemptEnd end{.grant = grant,
                              .outcome = core::AttemptOutcome::kSucceeded,
                              .next = core::RunState::kSucceeded};
  must(truth_->end_attempts({&end, 1}));
  live_.ended({&grant, 1});
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, AFailedGrantIsTriedAgain) {
  trigger(add_job(), 1);
  catch_up();
  next("grant", Fault::kUnavailable);
  EXPECT_FALSE(live_.claim({.job_types = {"default"}, .shares = {{.max_runs = 1}}}));
  pass(100ms);
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_F(LiveRunsTest, RunsOfOtherNodesAreFoundWhenAskedFor) {
  const JobId job = add_job();
  live_.disown(partition_of(job));
  trigger(job, 2);
  catch_up();
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(claim(9, true).size(), 2U);
}

}  // namespace
}  // namespace belfry::engine
