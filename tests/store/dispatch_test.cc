#include "tests/store/suite.h"

#include <map>

// What the engine's dispatch needs from a store: one claim for many workers, giving back what was
// never sent, and finding out how an attempt ended.
namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::OverlapPolicy;
using core::RunState;

class DispatchTest : public StoreTest {
 protected:
  DispatchTest() { own_everything(); }

  // Due runs of one job, a second apart.
  JobRow job_with_runs(const JobStore::NewJob& wanted, int count) {
    const JobRow job = add(wanted);
    std::vector<int> seconds;
    for (int i = 0; i < count; ++i) seconds.push_back(++second_);
    decide_runs(job.id, seconds);
    return job;
  }
  JobRow job_with_runs(int count) {
    return job_with_runs(new_job("job", OverlapPolicy::kAllow), count);
  }
  RunRow row_of(const core::RunRef& run) {
    for (const RunRow& row : must(store().runs_of(run.job))) {
      if (row.run == run) return row;
    }
    ADD_FAILURE() << "no such run";
    return {};
  }
  Status give_back(const ClaimedRun& run) {
    const RunGrant grant = grant_of(run);
    return store().return_runs({&grant, 1});
  }
  std::optional<AttemptOutcome> outcome_of(const RunGrant& grant) {
    return must(store().outcomes_of({&grant, 1})).at(0);
  }

 private:
  int second_ = 0;
};

TEST_P(DispatchTest, TheFirstTakerIsServedFirst) {
  job_with_runs(5);
  const auto claimed =
      must(test::claim(store(), {.job_types = {"default"},
                                 .takers = {{.worker = "a", .max_runs = 2, .lease = 20s},
                                            {.worker = "b", .max_runs = 2, .lease = 30s},
                                            {.worker = "c", .max_runs = 2, .lease = 40s},
                                            {.worker = "d", .max_runs = 2, .lease = 50s}}}));
  ASSERT_EQ(claimed.size(), 5U);
  const std::vector<std::size_t> takers{0, 0, 1, 1, 2};
  const std::vector<std::string> workers{"a", "a", "b", "b", "c"};
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    EXPECT_EQ(claimed[i].taker, takers[i]);
    EXPECT_EQ(claimed[i].scheduled_for, tick(static_cast<int>(i) + 1).instant());
    EXPECT_EQ(claimed[i].lease_until, now() + 20s + takers[i] * 10s);
    EXPECT_EQ(row_of(claimed[i].run).worker, workers[i]);
  }
}

TEST_P(DispatchTest, AWorkerOfOneTenantGetsNobodyElsesRuns) {
  std::map<TenantId, JobId> jobs;
  for (const char* name : {"a", "b", "c"}) {
    const TenantId tenant = must(store().put_tenant({.name = name}));
    jobs[tenant] = job_with_runs(new_job(name, OverlapPolicy::kAllow, tenant), 3).id;
  }
  for (const auto& [tenant, job] : jobs) {
    const test::ClaimRequest request{
        .job_types = {"default"}, .takers = {{.worker = "w", .max_runs = 5}}, .tenant = tenant};
    const auto claimed = must(test::claim(store(), request));
    EXPECT_EQ(claimed.size(), 3U);
    for (const ClaimedRun& run : claimed) EXPECT_EQ(run.run.job, job);
    EXPECT_TRUE(must(test::claim(store(), request)).empty());
  }
}

TEST_P(DispatchTest, AReturnedRunWaitsAsBefore) {
  job_with_runs(2);
  const ClaimedRun first = claim(1).at(0);
  must(give_back(first));
  const RunRow waiting = row_of(first.run);
  EXPECT_EQ(waiting.state, RunState::kReady);
  EXPECT_EQ(waiting.attempts, 0U);
  EXPECT_EQ(waiting.worker, "");
  EXPECT_TRUE(must(store().attempts_of(first.run)).empty());
  EXPECT_EQ(beat(grant_of(first), 1min), HeartbeatAnswer::kFenced);
  EXPECT_FALSE(end(success(grant_of(first))));

  const ClaimedRun again = claim(1).at(0);
  EXPECT_EQ(again.run, first.run);  // in its old place
  EXPECT_EQ(again.attempt, AttemptNo(1));
  EXPECT_GT(again.fence, first.fence);
  must(give_back(first));  // comes late: somebody else has it
  EXPECT_TRUE(end(success(grant_of(again))));
}

TEST_P(DispatchTest, AReturnedRetryKeepsTheAttemptsItHad) {
  job_with_runs(1);
  EXPECT_TRUE(end(failure(grant_of(claim(1).at(0)), 1s)));
  pass(1s);
  const ClaimedRun second = claim(1).at(0);
  EXPECT_EQ(second.attempt, AttemptNo(2));
  must(give_back(second));
  EXPECT_EQ(row_of(second.run).state, RunState::kRetrying);
  EXPECT_EQ(claim(1).at(0).attempt, AttemptNo(2));
  EXPECT_EQ(must(store().attempts_of(second.run)).size(), 1U);
}

TEST_P(DispatchTest, ARunToBeCancelledIsNotReturned) {
  job_with_runs(1);
  const ClaimedRun run = claim(1).at(0);
  EXPECT_TRUE(must(store().cancel_run(run.run)));
  must(give_back(run));
  EXPECT_EQ(beat(grant_of(run), 1min), HeartbeatAnswer::kCancel);
}

TEST_P(DispatchTest, AFenceTellsHowItsAttemptEnded) {
  job_with_runs(1);
  const RunGrant first = grant_of(claim(1).at(0));
  EXPECT_EQ(outcome_of(first), std::nullopt);
  EXPECT_TRUE(end(failure(first, 1s)));
  pass(1s);
  const RunGrant second = grant_of(claim(1).at(0));
  EXPECT_TRUE(end(success(second)));
  const RunGrant never{second.run, Fence(second.fence.value() + 1)};
  const std::vector<RunGrant> asked{second, first, never, second};
  const std::vector<std::optional<AttemptOutcome>> expected{AttemptOutcome::kSucceeded,
                                                            AttemptOutcome::kFailed, std::nullopt,
                                                            AttemptOutcome::kSucceeded};
  EXPECT_EQ(must(store().outcomes_of(asked)), expected);
}

TEST_P(DispatchTest, WhatWasReportedTooLateIsNotedOnce) {
  job_with_runs(1);
  const RunGrant lost = grant_of(claim(1).at(0));
  EXPECT_TRUE(end(failure(lost, 1s)));
  pass(1s);
  const RunGrant second = grant_of(claim(1).at(0));
  EXPECT_TRUE(end(success(second)));
  const RunGrant never{second.run, Fence(second.fence.value() + 1)};
  const std::vector<LateReport> late{{second, "late"}, {never, "late"}, {lost, "too late"}};
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(store().note_late(late));
  const auto attempts = must(store().attempts_of(second.run));
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_EQ(attempts[0].error, "failed; too late");
  EXPECT_EQ(attempts[1].error, "late");
}

BELFRY_FOR_EACH_STORE(DispatchTest);

}  // namespace
}  // namespace belfry::store
