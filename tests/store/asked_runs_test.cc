// Backfill and re-run: runs that people ask for, of ticks that are over.
#include "core/queue.h"
#include "service/jobs/backfill.h"
#include "tests/store/suite.h"

#include <algorithm>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::JobStatus;
using core::OverlapPolicy;
using core::RunKey;
using core::RunOrigin;
using core::RunState;

class BackfillTest : public StoreTest {
 protected:
  BackfillTest() { own_everything(); }

  Result<service::BackfillReport> ask(JobId job, int from, int to, bool dry_run = false) {
    return service::backfill(store(), schedules_,
                             {job, tick(from).instant(), tick(to).instant(), dry_run});
  }

 private:
  core::ZoneCatalog zones_;
  core::ScheduleCache schedules_{zones_};
};

TEST_P(BackfillTest, FillsTicksThatHaveNoRun) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {120, 240});
  EXPECT_TRUE(end(success(grant_of(claim(1).at(0)))));
  // Before the job existed, and between the runs it has: one over, one live.
  const auto dry = must(ask(job.id, -120, 240, true));
  EXPECT_EQ(dry.ticks, 7);
  EXPECT_EQ(dry.created.size(), 5U);
  EXPECT_EQ(dry.existing, (std::vector<Tick>{tick(120), tick(240)}));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 2U);
  const auto made = must(ask(job.id, -120, 240));
  EXPECT_EQ(made.created.size(), 5U);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 7U);
  EXPECT_EQ(runs[0].run, ref(job.id, -120));
  EXPECT_EQ(runs[0].origin, RunOrigin::kBackfill);
  EXPECT_EQ(runs[0].scheduled_for, tick(-120).instant());
  EXPECT_EQ(runs[0].decided_at, now());
  EXPECT_EQ(runs[4].origin, RunOrigin::kSchedule);
  const auto again = must(ask(job.id, -120, 240));
  EXPECT_EQ(again.created.size(), 0U);
  EXPECT_EQ(again.existing.size(), 7U);
}

TEST_P(BackfillTest, WhatWasBackfilledAndIsOverIsNotDoneAgain) {
  const JobRow job = add_job("a");
  EXPECT_EQ(must(ask(job.id, -60, -60)).created.size(), 1U);
  EXPECT_TRUE(end(success(grant_of(claim(9).at(0)))));
  EXPECT_EQ(must(ask(job.id, -60, -60)).created.size(), 0U);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

TEST_P(BackfillTest, RunsWaitInLine) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  EXPECT_EQ(must(ask(job.id, -180, -60)).created.size(), 3U);
  const RunGrant first = grant_of(claim(9).at(0));
  EXPECT_EQ(first.run, ref(job.id, -180));
  EXPECT_EQ(must(test::next_due(store())), now() + 60s);
  EXPECT_TRUE(end(success(first)));
  EXPECT_EQ(decide_runs(job.id, {59}).runs.size(), 1U);  // the present goes on
  EXPECT_TRUE(end(success(grant_of(claim(9).at(0)))));
  pass(1s);
  EXPECT_EQ(claim(9).at(0).run, ref(job.id, -120));
  pass(60s);
  EXPECT_TRUE(claim(9).empty());  // one at a time
}

TEST_P(BackfillTest, LeavesToTheScheduleWhatIsItsOwn) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  pass(100s);  // 120 is due but not decided yet; 180 is still to come
  const auto report = must(ask(job.id, 0, 180));
  EXPECT_EQ(report.ticks, 4);
  EXPECT_EQ(report.created.size(), 1U);
  EXPECT_EQ(report.undecided, 2);
  EXPECT_EQ(decide_runs(job.id, {120}).runs.size(), 1U);
  // A job that does not tick any more has nothing of its own but the future.
  must(store().change_job({.job = job.id, .status = JobStatus::kCancelled}));
  pass(100s);
  const auto rest = must(ask(job.id, 180, 600));
  EXPECT_EQ(rest.created.size(), 2U);
  EXPECT_EQ(rest.undecided, 6);
}

TEST_P(BackfillTest, RefusesWhatIsTooMuchOrNotThere) {
  const JobRow job = add_job("a");
  EXPECT_EQ(code_of(ask(job.id, -60 * 10'000, 0)), Errc::kInvalid);
  EXPECT_EQ(code_of(ask(JobId(999 << 16), -60, 0)), Errc::kNotFound);
  must(store().change_job({.job = job.id, .status = JobStatus::kDeleted}));
  EXPECT_EQ(code_of(ask(job.id, -60, 0)), Errc::kNotFound);
}

TEST_P(BackfillTest, TakesTenThousandAtOnce) {
  const JobRow job = add_job("a");
  EXPECT_EQ(must(ask(job.id, -60 * 9'999, 0)).created.size(), 10'000U);
  EXPECT_EQ(must(ask(job.id, -60 * 9'999, 0, true)).existing.size(), 10'000U);
}

BELFRY_FOR_EACH_STORE(BackfillTest);

class RetryTest : public StoreTest {
 protected:
  RetryTest() { own_everything(); }

  // A run of the tick at 60 that died after its first attempt.
  RunGrant kill_run(JobId job) {
    decide_runs(job, {60});
    const RunGrant grant = grant_of(claim(9).at(0));
    EXPECT_TRUE(end({.grant = grant,
                     .outcome = AttemptOutcome::kFailed,
                     .next = RunState::kDead,
                     .error = "refused"}));
    return grant;
  }
};

TEST_P(RetryTest, ADeadRunLivesAgainUnderItsId) {
  const JobRow job = add_job("a");
  const RunGrant dead = kill_run(job.id);
  pass(1h);
  const RunRow alive = must(store().retry_run(dead.run, RunKey(-5)));
  EXPECT_EQ(alive.run, dead.run);
  EXPECT_EQ(alive.state, RunState::kReady);
  EXPECT_EQ(alive.origin, RunOrigin::kSchedule);
  EXPECT_EQ(alive.scheduled_for, tick(60).instant());
  EXPECT_EQ(alive.attempts, 1U);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
  EXPECT_EQ(must(store().retry_run(dead.run, RunKey(-5))).state, RunState::kReady);  // a repeat
  const ClaimedRun again = claim(9).at(0);
  EXPECT_EQ(again.run, dead.run);
  EXPECT_EQ(again.attempt, AttemptNo(2));
  EXPECT_GT(again.fence, dead.fence);
  const RunGrant grant = grant_of(again);
  EXPECT_EQ(must(store().facts_of({&grant, 1})).at(0).max_attempts, 4);  // three more
  EXPECT_FALSE(end(success(dead)));
  EXPECT_TRUE(end(success(grant)));
  EXPECT_EQ(must(store().attempts_of(dead.run)).size(), 2U);
  EXPECT_EQ(must(store().runs_of(job.id)).at(0).state, RunState::kSucceeded);
}

TEST_P(RetryTest, WorksOnWhatItHadTheWayTheJobSaysToday) {
  JobStore::NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  wanted.definition.payload = R"({"old":1})";
  const JobRow job = add(wanted);
  const RunGrant dead = kill_run(job.id);
  const RunRow manual =
      must(store().trigger({.job = job.id, .key = RunKey(-9), .payload = R"({"mine":1})"}));
  EXPECT_TRUE(must(store().cancel_run(manual.run)));
  wanted.definition.payload = R"({"new":1})";
  wanted.definition.target = R"({"kind":"EXEC"})";
  wanted.definition.policies.timeout = 7s;
  must(store().change_job({.job = job.id, .definition = wanted.definition}));
  must(store().retry_run(dead.run, RunKey(-5)));
  must(store().retry_run(manual.run, RunKey(-6)));
  const auto claimed = claim(9, core::exec_queue("default"));
  ASSERT_EQ(claimed.size(), 2U);
  for (const ClaimedRun& run : claimed) {
    EXPECT_EQ(run.payload, run.run == manual.run ? R"({"mine":1})" : R"({"old":1})");
    EXPECT_EQ(run.target, R"({"kind":"EXEC"})");
    EXPECT_EQ(run.deadline, now() + 7s);
  }
}

TEST_P(RetryTest, WhatSucceededIsRepeatedAsARunOfItsOwn) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  EXPECT_TRUE(end(success(grant_of(claim(9).at(0)))));
  pass(10s);
  const RunRow made = must(store().retry_run(ref(job.id, 60), RunKey(-5)));
  EXPECT_EQ(made.run, (core::RunRef{job.id, RunKey(-5)}));
  EXPECT_EQ(made.origin, RunOrigin::kRetry);
  EXPECT_EQ(made.scheduled_for, tick(60).instant());
  EXPECT_EQ(made.decided_at, now());
  EXPECT_EQ(made.attempts, 0U);
  EXPECT_TRUE(end(success(grant_of(claim(9).at(0)))));
  const RunRow again = must(store().retry_run(ref(job.id, 60), RunKey(-5)));  // a repeat
  EXPECT_EQ(again.state, RunState::kSucceeded);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 2U);
  // And a re-run can be run again.
  EXPECT_EQ(must(store().retry_run(again.run, RunKey(-6))).run.key, RunKey(-6));
}

TEST_P(RetryTest, DoesNotStandInTheWayOfTicks) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  const RunGrant dead = kill_run(job.id);
  pass(1s);
  must(store().retry_run(dead.run, RunKey(-5)));
  EXPECT_EQ(decide_runs(job.id, {120}).runs.size(), 1U);
  EXPECT_EQ(claim(9).size(), 1U);  // one at a time
}

TEST_P(RetryTest, OnlyRunsThatExistAreRunAgain) {
  const JobRow job = add_job("a");
  EXPECT_EQ(code_of(store().retry_run(ref(job.id, 60), RunKey(-5))), Errc::kNotFound);
  EXPECT_EQ(code_of(store().retry_run(ref(JobId(999 << 16), 60), RunKey(-5))), Errc::kNotFound);
}

TEST_P(RetryTest, ADeletedJobsDeadLetterIsRunAgain) {
  const JobRow job = add_job("a");
  const RunGrant dead = kill_run(job.id);
  must(store().change_job({.job = job.id, .status = JobStatus::kDeleted}));
  EXPECT_EQ(must(store().retry_run(dead.run, RunKey(-5))).state, RunState::kReady);
  pass(1s);
  EXPECT_EQ(claim(9).at(0).run, dead.run);
}

TEST_P(RetryTest, WhoMayNotExecFeedsNoCommand) {
  JobStore::NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  const JobRow job = add(wanted);
  const RunGrant dead = kill_run(job.id);
  const auto cancelled = [&](int key, const std::string& payload) {
    const auto run =
        must(store().trigger({.job = job.id, .key = RunKey(key), .payload = payload})).run;
    EXPECT_TRUE(must(store().cancel_run(run)));
    return run;
  };
  const core::RunRef chosen = cancelled(-7, R"({"mine":1})");
  wanted.definition.target = R"({"kind":"EXEC","command":["a"]})";
  must(store().change_job({.job = job.id, .definition = wanted.definition}));
  const core::RunRef fed = cancelled(-8, R"({"theirs":1})");
  const auto retry = [&](const core::RunRef& run) {
    return store().retry_run({.run = run, .fresh = RunKey(-9), .may_exec = false});
  };
  EXPECT_EQ(code_of(retry(chosen)), Errc::kForbidden);
  EXPECT_EQ(must(store().find_run(chosen)).state, RunState::kCancelled);
  EXPECT_EQ(must(retry(dead.run)).state, RunState::kReady);  // has the job's payload
  EXPECT_EQ(must(retry(fed)).state, RunState::kReady);       // was made for the command
  EXPECT_EQ(must(store().retry_run(chosen, RunKey(-9))).state, RunState::kReady);
}

BELFRY_FOR_EACH_STORE(RetryTest);

}  // namespace
}  // namespace belfry::store
