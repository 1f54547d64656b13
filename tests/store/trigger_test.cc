#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::OverlapPolicy;
using core::RunKey;
using core::RunState;

class TriggerTest : public StoreTest {
 protected:
  TriggerTest() { own_everything(); }

  RunRow run_of(JobId job) { return must(store().runs_of(job)).at(0); }
};

TEST_P(TriggerTest, CancellingEndsWhatWaits) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  EXPECT_TRUE(must(store().cancel_run(ref(job.id, 60))));
  EXPECT_FALSE(must(store().cancel_run(ref(job.id, 60))));
  EXPECT_FALSE(must(store().cancel_run(ref(job.id, 61))));
  EXPECT_EQ(run_of(job.id).state, RunState::kCancelled);
  EXPECT_EQ(run_of(job.id).finished_at, now());
  EXPECT_TRUE(claim(9).empty());
}

TEST_P(TriggerTest, CancellingTellsWhatRuns) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const RunGrant grant = grant_of(claim(1).at(0));
  EXPECT_FALSE(must(store().facts_of({&grant, 1})).at(0).cancel_requested);
  EXPECT_TRUE(must(store().cancel_run(grant.run)));
  EXPECT_TRUE(must(store().cancel_run(grant.run)));
  pass(20s);
  EXPECT_EQ(beat(grant, 30s), HeartbeatAnswer::kCancel);
  pass(9s);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());  // extended, as far as `stop_within`
  EXPECT_TRUE(must(store().facts_of({&grant, 1})).at(0).cancel_requested);
  EXPECT_TRUE(
      end({.grant = grant, .outcome = AttemptOutcome::kCancelled, .next = RunState::kCancelled}));
  EXPECT_EQ(run_of(job.id).state, RunState::kCancelled);
}

TEST_P(TriggerTest, AKeyMayBeAnyNumber) {
  const JobRow job = add_job("a", OverlapPolicy::kAllow);
  for (const std::int64_t number : {INT64_MIN, INT64_MIN / 2, std::int64_t{-1}}) {
    const core::RunRef run{job.id, RunKey(number)};
    EXPECT_EQ(must(store().trigger({.job = job.id, .key = run.key})).run, run);
    EXPECT_EQ(must(store().find_run(run)).run, run);
  }
  for (const RunKey nobodys : {RunKey(INT64_MAX), RunKey(INT64_MIN + 1)}) {
    EXPECT_EQ(store().find_run({job.id, nobodys}).error().code, Errc::kNotFound);
    EXPECT_EQ(store().retry_run({job.id, nobodys}, RunKey(-2)).error().code, Errc::kNotFound);
  }
}

TEST_P(TriggerTest, ATriggerIsIdempotentByItsKey) {
  const JobRow job = add_job("a");
  pass(5s);
  const RunStore::Trigger wanted{.job = job.id, .key = RunKey(-7)};
  const RunRow made = must(store().trigger(wanted));
  EXPECT_EQ(made.run, (core::RunRef{job.id, RunKey(-7)}));
  EXPECT_EQ(made.state, RunState::kReady);
  EXPECT_EQ(made.origin, core::RunOrigin::kManual);
  EXPECT_EQ(made.scheduled_for, now());
  EXPECT_EQ(made.decided_at, now());
  EXPECT_EQ(made.stands_for, 1);
  EXPECT_EQ(made.node, node(1).incarnation);
  pass(5s);
  EXPECT_EQ(must(store().trigger(wanted)).decided_at, made.decided_at);
  const ClaimedRun run = claim(9).at(0);
  EXPECT_EQ(must(store().trigger(wanted)).state, RunState::kRunning);
  EXPECT_TRUE(end(success(grant_of(run))));
  EXPECT_EQ(must(store().trigger(wanted)).state, RunState::kSucceeded);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

TEST_P(TriggerTest, ATriggerOfAPastTickFindsItsRun) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  EXPECT_TRUE(end(success(grant_of(claim(1).at(0)))));
  const RunRow found = must(store().trigger({.job = job.id,
                                             .key = core::run_key_of(tick(60)),
                                             .origin = core::RunOrigin::kBackfill,
                                             .tick = tick(60)}));
  EXPECT_EQ(found.state, RunState::kSucceeded);
  EXPECT_EQ(found.origin, core::RunOrigin::kSchedule);
}

TEST_P(TriggerTest, ATriggerOverlapsAsItLikesAndMayStandForATick) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  decide_runs(job.id, {60});
  const RunRow made = must(store().trigger({.job = job.id,
                                            .key = RunKey(-7),
                                            .origin = core::RunOrigin::kBackfill,
                                            .tick = tick(-600)}));
  EXPECT_EQ(made.origin, core::RunOrigin::kBackfill);
  EXPECT_EQ(made.scheduled_for, tick(-600).instant());
  const auto runs = must(store().runs_of(job.id));  // in the order of scheduled_for
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].run.key, RunKey(-7));
}

// `max_concurrent` is how many run at once, whoever asked for them.
TEST_P(TriggerTest, WhereAJobHasNoRoomATriggeredRunWaits) {
  JobStore::NewJob two = new_job("two", OverlapPolicy::kAllow);
  two.definition.policies.max_concurrent = 2;
  const JobRow limited = add(two);
  decide_runs(limited.id, {60});
  for (const std::int64_t key : {-1, -2, -3}) {
    must(store().trigger({.job = limited.id, .key = RunKey(key)}));
  }
  const auto first = claim(9);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_TRUE(claim(9).empty());
  EXPECT_EQ(decide_runs(limited.id, {120}).overlaps, 1U);
  for (const ClaimedRun& run : first) EXPECT_TRUE(end(success(grant_of(run))));
  const auto second = claim(9);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_TRUE(end(success(grant_of(second[0]))));
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_P(TriggerTest, OnlyJobsThatExistAreTriggered) {
  EXPECT_EQ(code_of(store().trigger({.job = JobId(999 << 16), .key = RunKey(-1)})),
            Errc::kNotFound);
  const JobRow job = add_job("a");
  must(store().change_job({.job = job.id, .status = core::JobStatus::kPaused}));
  must(store().trigger({.job = job.id, .key = RunKey(-1)}));
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  EXPECT_EQ(code_of(store().trigger({.job = job.id, .key = RunKey(-2)})), Errc::kNotFound);
}

TEST_P(TriggerTest, RunsAreListedLiveAndPastInOrder) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60, 120, 180});
  const auto claimed = claim(9);
  EXPECT_TRUE(end(success(grant_of(claimed.at(1)))));
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(runs[i].run, ref(job.id, static_cast<int>(60 * (i + 1))));
  }
  EXPECT_EQ(runs[1].state, RunState::kSucceeded);
  EXPECT_EQ(runs[2].state, RunState::kRunning);
}

TEST_P(TriggerTest, SkipsAreDroppedAfterTheirRetention) {
  std::vector<JobRow> jobs;
  for (const char* name : {"a", "b", "c"}) jobs.push_back(add_job(name));
  const auto skip = [&](const JobRow& job, int first, int last) {
    PartitionDecision skips = decision(job.id, now());
    skips.decisions.skips = {{job.id, tick(first), tick(last), 2, core::SkipReason::kPaused}};
    decide(skips);
  };
  pass(100s);
  for (const JobRow& job : jobs) skip(job, 10, 20);
  pass(24h * 80);
  const int later = 24 * 3600 * 80;
  must(store().renew(node(1), 24h));
  skip(jobs[0], later + 10, later + 20);  // prolongs the range
  pass(24h * 20);
  // In batches of two, the second after the first.
  const auto sweep = [&] {
    std::size_t seen = 0;
    std::optional<ChoreStore::SkipCursor> place = ChoreStore::SkipCursor();
    for (; place; ++seen) place = must(store().sweep_skips(*place, 24h * 90, 2));
    return seen;
  };
  EXPECT_EQ(sweep(), 3U);
  EXPECT_EQ(must(store().skips_of(jobs[0].id)).size(), 1U);
  EXPECT_TRUE(must(store().skips_of(jobs[1].id)).empty());
  EXPECT_TRUE(must(store().skips_of(jobs[2].id)).empty());
  pass(24h * 71);
  sweep();
  EXPECT_TRUE(must(store().skips_of(jobs[0].id)).empty());
}

TEST_P(TriggerTest, HistoryIsDroppedAfterItsRetention) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60, 61});
  const auto claimed = claim(9);
  EXPECT_TRUE(end(success(grant_of(claimed.at(0)))));
  must(store().keep_history(24h * 90));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 2U);
  pass(24h * 100);
  must(store().keep_history(24h * 90));
  must(store().keep_history(24h * 90));
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, RunState::kRunning);  // live runs stay, however old
  EXPECT_TRUE(must(store().attempts_of(claimed[0].run)).empty());
}

BELFRY_FOR_EACH_STORE(TriggerTest);

}  // namespace
}  // namespace belfry::store
