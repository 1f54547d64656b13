// Runs that nobody starts, that do not stop, or whose holders are gone.
#include "core/run.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::DeadReason;
using core::JobStatus;
using core::OverlapPolicy;
using core::RunState;

class DeadlinesTest : public StoreTest {
 protected:
  DeadlinesTest() { own_everything(); }

  RunRow run_of(const core::RunRef& run) { return must(store().find_run(run)); }
  std::optional<Instant> lease_of(const core::RunRef& run) { return run_of(run).lease_until; }
  core::LiveRun live(const core::RunRef& run) { return must(store().find_live({&run, 1})).at(0); }
  RunGrant grant(const core::RunRef& run, const Taker& taker, std::uint64_t claim = 7) {
    const auto granted = must(store().grant(
        {.takers = {taker}, .runs = {{.run = run, .tenant = TenantId(1)}}, .claim = claim}));
    return {run, granted.at(0).fence};
  }
  core::RunRef decided(const std::string& name, OverlapPolicy overlap = OverlapPolicy::kForbid) {
    const JobRow job = add(new_job(name, overlap));
    decide_runs(job.id, {60});
    return ref(job.id, 60);
  }
};

TEST_P(DeadlinesTest, AHeartbeatDoesNotProlongACancelledRunForEver) {
  const core::RunRef run = decided("a");
  const RunGrant held = grant(run, {.worker = "w", .lease = 30s});
  must(store().cancel_run(run));
  const Instant stop_by = now() + 30s;
  pass(20s);
  EXPECT_EQ(beat(held, 5min), HeartbeatAnswer::kCancel);
  EXPECT_EQ(lease_of(run), stop_by);
  must(store().cancel_run(run));  // asking again grants no more time
  EXPECT_EQ(lease_of(run), stop_by);
}

TEST_P(DeadlinesTest, ACancelledRunLosesALongLease) {
  const core::RunRef run = decided("a");
  grant(run, {.worker = "w", .lease = 15min});
  must(store().cancel_run(run));
  EXPECT_EQ(live(run).held->until, now() + 30s);
}

TEST_P(DeadlinesTest, AReplacedRunLosesALongLease) {
  const JobRow job = add(new_job("a", OverlapPolicy::kReplace));
  decide_runs(job.id, {60});
  grant(ref(job.id, 60), {.worker = "w", .lease = 15min});
  const auto told = decide_runs(job.id, {120}).told;
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0], ref(job.id, 60));
  EXPECT_LE(live(ref(job.id, 60)).held->until, now() + 30s);
}

TEST_P(DeadlinesTest, AStuckRunIsTakenFromItsWorker) {
  const core::RunRef run = decided("a");
  const RunGrant held = grant(run, {.worker = "w", .lease = 15min});
  EXPECT_TRUE(must(store().unstick_run(run, "by ann: it hangs", {.actor = "ann"})));
  EXPECT_FALSE(must(store().unstick_run(run, "again", {.actor = "ann"})));
  const RunRow row = run_of(run);
  EXPECT_EQ(row.state, RunState::kDead);
  EXPECT_EQ(row.reason, DeadReason::kUnstuck);
  EXPECT_EQ(row.error, "by ann: it hangs");
  EXPECT_EQ(beat(held, 30s), HeartbeatAnswer::kFenced);
  EXPECT_FALSE(end(success(held)));
  const auto attempts = must(store().attempts_of(run));
  ASSERT_EQ(attempts.size(), 1U);
  EXPECT_EQ(attempts[0].outcome, AttemptOutcome::kLeaseLost);
  const auto audit = must(store().list_audit(TenantId(1), {}, 1));
  EXPECT_EQ(audit.at(0).action, "run.unstick");
  EXPECT_EQ(audit.at(0).actor, "ann");
  // Its job is free.
  decide_runs(run.job, {120});
  EXPECT_EQ(claim(1).size(), 1U);
}

TEST_P(DeadlinesTest, AStuckRunThatWasCancelledEndsAsThat) {
  const core::RunRef run = decided("a");
  grant(run, {.worker = "w", .lease = 15min});
  must(store().cancel_run(run));
  EXPECT_TRUE(must(store().unstick_run(run, "enough", {})));
  EXPECT_EQ(run_of(run).state, RunState::kCancelled);
  EXPECT_EQ(run_of(run).reason, DeadReason::kNone);
}

TEST_P(DeadlinesTest, OnlyARunningRunCanBeStuck) {
  const core::RunRef run = decided("a");
  EXPECT_FALSE(must(store().unstick_run(run, "", {})));
  EXPECT_EQ(run_of(run).state, RunState::kReady);
}

// So whoever decides it knows, without reading it again.
TEST_P(DeadlinesTest, ADecisionTellsByWhenItsRunsHaveToStart) {
  JobStore::NewJob job = new_job("a", OverlapPolicy::kAllow);
  job.definition.policies.start_within = 2s;
  const JobId id = add(job).id;
  const DecideResult decided = decide_runs(id, {60});
  ASSERT_EQ(decided.runs.size(), 1U);
  EXPECT_EQ(decided.runs[0].start_by, now() + 2s);
  EXPECT_EQ(live(ref(id, 60)).start_by, now() + 2s);
}

TEST_P(DeadlinesTest, ARunThatNobodyStartsInTimeIsDead) {
  JobStore::NewJob job = new_job("a", OverlapPolicy::kAllow);
  job.definition.policies.start_within = 2min;
  const JobId id = add(job).id;
  pass(60s);
  decide_runs(id, {30, 60});
  const core::RunRef waiting = ref(id, 30);
  const core::RunRef started = ref(id, 60);
  EXPECT_EQ(live(waiting).start_by, now() + 2min);
  const RunGrant held = grant(started, {.worker = "w"});
  must(store().return_runs({&held, 1}));
  pass(2min - 1us);
  EXPECT_TRUE(must(store().give_up({&waiting, 1})).empty());
  pass(1us);
  const RunGrant again = grant(started, {.worker = "w"});
  const std::vector<core::RunRef> both{waiting, started};
  EXPECT_EQ(must(store().give_up(both)), std::vector{waiting});
  EXPECT_TRUE(must(store().give_up(both)).empty());
  EXPECT_EQ(run_of(waiting).state, RunState::kDead);
  EXPECT_EQ(run_of(waiting).reason, DeadReason::kNotStarted);
  EXPECT_EQ(run_of(started).state, RunState::kRunning);
  EXPECT_TRUE(end(success(again)));
}

TEST_P(DeadlinesTest, TheWorkOfADeadNodeEndsWithItsLease) {
  const core::RunRef run = decided("a");
  const OwnershipStore::Node other = node(2);
  must(store().renew(other, 5s));
  const RunGrant held =
      grant(run, {.worker = "webhooks", .lease = 30s, .holder = other.incarnation});
  EXPECT_EQ(live(run).held->holder, other.incarnation);
  EXPECT_EQ(live(run).held->claim, 7U);
  const AttemptEnd lost{.grant = held,
                        .outcome = AttemptOutcome::kLeaseLost,
                        .next = RunState::kRetrying,
                        .wait = 0s,
                        .only_if_expired = true};
  pass(4s);
  EXPECT_FALSE(end(lost));
  pass(1s);
  EXPECT_TRUE(end(lost));
  EXPECT_EQ(run_of(run).state, RunState::kRetrying);
  EXPECT_FALSE(live(run).held);
}

TEST_P(DeadlinesTest, ANodeThatRetiresEndsItsWorkItself) {
  const core::RunRef run = decided("a");
  const OwnershipStore::Node other = node(2);
  must(store().renew(other, 5s));
  const RunGrant held =
      grant(run, {.worker = "webhooks", .lease = 30s, .holder = other.incarnation});
  must(store().retire(other));
  pass(6s);
  EXPECT_FALSE(end({.grant = held,
                    .outcome = AttemptOutcome::kLeaseLost,
                    .next = RunState::kRetrying,
                    .wait = 0s,
                    .only_if_expired = true}));
}

TEST_P(DeadlinesTest, APauseThatIsOverShowsNowhere) {
  const JobRow job = add(new_job("a", OverlapPolicy::kForbid));
  must(store().change_job(
      {.job = job.id, .status = JobStatus::kPaused, .paused_until = now() + 60s}));
  const auto listed = [&](JobStatus status) {
    const JobFilter filter{.tenant = TenantId(1), .status = status};
    return must(store().list_jobs(filter, "", 9)).jobs.size();
  };
  EXPECT_EQ(listed(JobStatus::kPaused), 1U);
  EXPECT_EQ(must(store().totals()).paused.value, 1);
  pass(60s);
  EXPECT_EQ(listed(JobStatus::kPaused), 0U);
  EXPECT_EQ(listed(JobStatus::kActive), 1U);
  EXPECT_EQ(must(store().totals()).paused.value, 0);
  // It is kept until the ticks that it covers are decided.
  EXPECT_EQ(must(store().end_pauses(9)), 0U);
  decide(decision(job.id, now()));
  EXPECT_EQ(must(store().end_pauses(9)), 1U);
  EXPECT_EQ(must(store().find_job(job.id)).status, JobStatus::kActive);
}

TEST_P(DeadlinesTest, AJobIsFailingUntilARunSucceeds) {
  const JobRow job = add(new_job("a", OverlapPolicy::kAllow));
  const JobRow fine = add(new_job("b", OverlapPolicy::kAllow));
  const auto health = [&] { return must(store().health_of({&job.id, 1})).at(0); };
  const auto failing = [&] {
    std::vector<std::string> names;
    for (const JobRow& row :
         must(store().list_jobs({.tenant = TenantId(1), .failing = true}, "", 9)).jobs) {
      names.push_back(row.definition.name);
    }
    return names;
  };
  EXPECT_FALSE(health().last);
  EXPECT_TRUE(failing().empty());
  const auto run_to = [&](int second, RunState state) {
    decide_runs(job.id, {second});
    AttemptEnd over = success(grant(ref(job.id, second), {.worker = "w"}));
    over.next = state;
    if (state != RunState::kSucceeded) {
      over.outcome = AttemptOutcome::kFailed;
      over.error = "no";
      over.reason = DeadReason::kAttempts;
    }
    EXPECT_TRUE(end(over));
  };
  run_to(60, RunState::kDead);
  const Instant since = now();
  run_to(120, RunState::kDead);
  EXPECT_EQ(health().failures_in_a_row, 2);
  EXPECT_EQ(health().failing_since, since);
  EXPECT_EQ(health().last->run, ref(job.id, 120));
  EXPECT_EQ(health().last->state, RunState::kDead);
  EXPECT_EQ(health().last->error, "no");
  EXPECT_EQ(health().last->reason, DeadReason::kAttempts);
  EXPECT_EQ(failing(), std::vector<std::string>{"a"});
  EXPECT_EQ(must(store().totals()).failing.value, 1);
  run_to(180, RunState::kSucceeded);
  EXPECT_EQ(health().failures_in_a_row, 0);
  EXPECT_FALSE(health().failing_since);
  EXPECT_EQ(health().last->state, RunState::kSucceeded);
  EXPECT_TRUE(failing().empty());
  EXPECT_EQ(must(store().health_of(std::vector{fine.id, job.id})).at(1).last->run,
            ref(job.id, 180));
  run_to(240, RunState::kDead);
  EXPECT_EQ(must(store().totals()).failing.value, 1);
  must(store().change_job({.job = job.id, .status = JobStatus::kDeleted}));
  EXPECT_TRUE(failing().empty());
  EXPECT_EQ(must(store().totals()).failing.value, 0);
  EXPECT_EQ(must(store().totals_of(TenantId(1))).failing.value, 0);
}

BELFRY_FOR_EACH_STORE(DeadlinesTest);

}  // namespace
}  // namespace belfry::store
