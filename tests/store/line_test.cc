// Runs of the past: they wait in line, beside the ticks of the present.
#include "tests/store/suite.h"

#include <algorithm>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunState;

class LineTest : public StoreTest {
 protected:
  LineTest() { own_everything(); }

  // Five missed ticks, a minute apart, decided after ten minutes, become due a minute apart.
  DecideResult miss_five(JobId job) {
    pass(600s);
    PartitionDecision made = decision(job, now());
    for (int i = 0; i < 5; ++i) {
      made.decisions.runs.push_back({job, tick(60 * (i + 1)), 1, now() + i * 60s});
    }
    return decide(made);
  }
  std::size_t live(JobId job) {
    const auto runs = must(store().runs_of(job));
    return static_cast<std::size_t>(
        std::ranges::count_if(runs, [](const RunRow& run) { return core::is_live(run.state); }));
  }
};

TEST_P(LineTest, NobodyStartsBeforeItsTurn) {
  const JobRow job = add_job("a");
  EXPECT_EQ(miss_five(job.id).runs.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    const auto claimed = claim(9);
    ASSERT_EQ(claimed.size(), 1U) << i;
    EXPECT_EQ(claimed[0].run, ref(job.id, 60 * (i + 1)));
    EXPECT_EQ(claimed[0].scheduled_for, tick(60 * (i + 1)).instant());
    const bool last = i == 4;
    EXPECT_EQ(must(test::next_due(store())), last ? std::nullopt : std::optional(now() + 60s));
    pass(60s - 1us);
    EXPECT_TRUE(claim(9).empty());
    pass(1us);
  }
}

TEST_P(LineTest, ForbidLosesNothingAndRunsOneAfterTheOther) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  const DecideResult missed = miss_five(job.id);
  EXPECT_EQ(missed.runs.size(), 5U);
  EXPECT_EQ(missed.overlaps, 0U);
  pass(300s);  // all of them are due
  for (int i = 0; i < 5; ++i) {
    const auto claimed = claim(9);
    ASSERT_EQ(claimed.size(), 1U) << i;
    EXPECT_EQ(claimed[0].run, ref(job.id, 60 * (i + 1)));
    EXPECT_TRUE(end(success(grant_of(claimed[0]))));
  }
  EXPECT_TRUE(must(store().skips_of(job.id)).empty());
}

TEST_P(LineTest, WhoWaitsInLineDoesNotStopTheTicksOfThePresent) {
  for (const OverlapPolicy policy : {OverlapPolicy::kForbid, OverlapPolicy::kQueueOne}) {
    const JobRow job = add_job("policy " + std::to_string(static_cast<int>(policy)), policy);
    const int start = static_cast<int>((now() - kStart) / 1s);
    miss_five(job.id);
    EXPECT_EQ(decide_runs(job.id, {start + 660}).runs.size(), 1U);
    must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  }
}

TEST_P(LineTest, WhoHasStartedCounts) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  miss_five(job.id);
  const RunGrant grant = grant_of(claim(1).at(0));
  EXPECT_EQ(decide_runs(job.id, {660}).overlaps, 1U);
  EXPECT_TRUE(end(failure(grant, 1h)));
  EXPECT_EQ(decide_runs(job.id, {720}).overlaps, 1U);  // waits for its next attempt
}

TEST_P(LineTest, ALineAndTicksOfOneDecision) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  pass(600s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.runs = {{job.id, tick(60), 1, now()},
                         {job.id, tick(120), 1, now() + 60s},
                         {job.id, tick(595)},
                         {job.id, tick(600)}};
  made.decisions.skips = {{job.id, tick(10), tick(20), 2, core::SkipReason::kMisfireLimit}};
  const DecideResult result = decide(made);
  EXPECT_EQ(result.runs.size(), 3U);
  EXPECT_EQ(result.overlaps, 1U);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 2U);
  EXPECT_EQ(skips[1].first, tick(600));
  EXPECT_EQ(claim(9).at(0).run, ref(job.id, 595));
}

TEST_P(LineTest, WithALimitTheyAreHandedOutAlone) {
  JobStore::NewJob two = new_job("two", OverlapPolicy::kAllow);
  two.definition.policies.max_concurrent = 2;
  const JobRow limited = add(two);
  miss_five(limited.id);
  pass(300s);
  const auto first = claim(9);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_TRUE(end(success(grant_of(first[0]))));
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_P(LineTest, WithoutALimitAllThatAreDueRun) {
  const JobRow job = add_job("a");
  miss_five(job.id);
  pass(300s);
  EXPECT_EQ(claim(9).size(), 5U);
}

TEST_P(LineTest, AReplacingRunLeavesTheLineAlone) {
  const JobRow job = add_job("a", OverlapPolicy::kReplace);
  miss_five(job.id);
  EXPECT_EQ(decide_runs(job.id, {660}).runs.size(), 1U);
  EXPECT_EQ(live(job.id), 6U);
  EXPECT_EQ(decide_runs(job.id, {720}).runs.size(), 1U);
  EXPECT_EQ(live(job.id), 6U);  // but it replaces the run of the tick before
}

TEST_P(LineTest, StoppingAJobEndsItsLine) {
  using core::JobStatus;
  for (const JobStatus status : {JobStatus::kPaused, JobStatus::kCancelled, JobStatus::kDeleted}) {
    const JobRow job = add_job("status " + std::to_string(static_cast<int>(status)));
    pass(600s);
    const int start = static_cast<int>((now() - kStart) / 1s);
    PartitionDecision made = decision(job.id, now());
    made.decisions.runs = {{job.id, tick(start - 9)},
                           {job.id, tick(start - 3), 1, now()},
                           {job.id, tick(start - 2), 1, now() + 60s},
                           {job.id, tick(start - 1), 1, now() + 120s}};
    EXPECT_EQ(decide(made).runs.size(), 4U);
    EXPECT_EQ(claim(2).size(), 2U);
    must(store().change_job({.job = job.id, .status = status}));
    const auto runs = must(store().runs_of(job.id));
    ASSERT_EQ(runs.size(), 4U);
    EXPECT_EQ(runs[0].state, RunState::kRunning);  // a run that has started goes on
    EXPECT_EQ(runs[1].state, RunState::kRunning);
    for (const std::size_t i : {2U, 3U}) {
      EXPECT_EQ(runs[i].state, RunState::kCancelled);
      EXPECT_EQ(runs[i].error, "the job was stopped while the run waited");
    }
  }
  const JobRow job = add_job("completed");
  miss_five(job.id);
  must(store().change_job({.job = job.id, .status = JobStatus::kCompleted}));
  EXPECT_EQ(live(job.id), 5U);
}

BELFRY_FOR_EACH_STORE(LineTest);

}  // namespace
}  // namespace belfry::store
