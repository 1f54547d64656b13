#include "tests/store/suite.h"

#include <set>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;
using core::OverlapPolicy;
using core::RunKey;
using core::RunState;

class RunsTest : public StoreTest {
 protected:
  RunsTest() { own_everything(); }

  RunRow run_of(JobId job) { return must(store().runs_of(job)).at(0); }
};

TEST_P(RunsTest, AClaimGrantsARun) {
  JobStore::NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  wanted.definition.payload = R"({"n":1})";
  wanted.definition.policies.timeout = 90s;
  const JobRow job = add(wanted);
  decide_runs(job.id, {60});
  pass(1s);
  const auto claimed =
      must(test::claim(store(), {.job_types = {"other", "default"},
                                 .takers = {{.worker = "w1", .max_runs = 9, .lease = 20s}}}));
  ASSERT_EQ(claimed.size(), 1U);
  const ClaimedRun& run = claimed[0];
  EXPECT_EQ(run.run, ref(job.id, 60));
  EXPECT_EQ(run.tenant, TenantId(1));
  EXPECT_EQ(run.job_name, "a");
  EXPECT_EQ(run.job_type, "default");
  EXPECT_GT(run.fence, Fence(0));
  EXPECT_EQ(run.attempt, AttemptNo(1));
  EXPECT_EQ(run.scheduled_for, tick(60).instant());
  EXPECT_EQ(run.lease_until, now() + 20s);
  EXPECT_EQ(run.deadline, now() + 90s);
  EXPECT_EQ(run.stands_for, 1);
  EXPECT_NE(run.target.find("WORKER"), std::string::npos);
  EXPECT_NE(run.payload.find("\"n\""), std::string::npos);
  const RunRow row = run_of(job.id);
  EXPECT_EQ(row.state, RunState::kRunning);
  EXPECT_EQ(row.started_at, now());
  EXPECT_EQ(row.attempts, 1U);
  EXPECT_EQ(row.fence, run.fence);
  EXPECT_EQ(row.worker, "w1");
  EXPECT_TRUE(claim(9).empty());
}

TEST_P(RunsTest, NothingIsHandedOutBeforeItIsDue) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {5});
  ASSERT_TRUE(end(failure(grant_of(claim(9).at(0)), 5s)));
  EXPECT_EQ(must(test::next_due(store())), now() + 5s);
  pass(4999999us);
  EXPECT_TRUE(claim(9).empty());
  pass(1us);
  EXPECT_EQ(must(test::next_due(store())), std::nullopt);  // it is due already
  EXPECT_EQ(claim(9).size(), 1U);
}

TEST_P(RunsTest, ARunSpeaksWithTheWordsOfItsRevision) {
  JobStore::NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  wanted.definition.payload = "\"old\"";
  const JobRow job = add(wanted);
  decide_runs(job.id, {60});
  wanted.definition.payload = "\"new\"";
  must(store().change_job({.job = job.id, .definition = wanted.definition, .reschedules = false}));
  decide_runs(job.id, {120});
  must(store().trigger({.job = job.id, .key = RunKey(-5), .payload = "\"own\""}));
  const auto claimed = claim(9);
  ASSERT_EQ(claimed.size(), 3U);
  for (const ClaimedRun& run : claimed) {
    const bool manual = run.run.key == RunKey(-5);
    EXPECT_EQ(run.payload, manual ? "\"own\"" : run.run == ref(job.id, 60) ? "\"old\"" : "\"new\"");
  }
}

TEST_P(RunsTest, ExclusiveRunsAreHandedOutOneByOneOldestFirst) {
  const JobRow job = add_job("a", OverlapPolicy::kQueueOne);
  decide_runs(job.id, {60, 120});
  const auto first = claim(9);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].run, ref(job.id, 60));
  EXPECT_TRUE(claim(9).empty());
  EXPECT_TRUE(end(success(grant_of(first[0]))));
  const auto second = claim(9);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].run, ref(job.id, 120));
}

TEST_P(RunsTest, ABlockedRunDoesNotHoldUpTheNextJob) {
  const JobRow exclusive = add_job("a", OverlapPolicy::kForbid);
  for (int i = 1; i <= 20; ++i) {
    must(store().trigger({.job = exclusive.id, .key = RunKey(-i)}));
  }
  pass(1s);
  const JobRow other = add_job("b");
  must(store().trigger({.job = other.id, .key = RunKey(-1)}));
  const auto claimed = claim(2);
  ASSERT_EQ(claimed.size(), 2U);
  EXPECT_EQ(std::set({claimed[0].run.job, claimed[1].run.job}), std::set({exclusive.id, other.id}));
}

TEST_P(RunsTest, WhoeverMakesWayLetsTheNextGo) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  for (int i = 1; i <= 5; ++i) {
    must(store().trigger({.job = job.id, .key = RunKey(-i)}));
    pass(1s);
  }
  const auto only = [&](int key) {
    const auto claimed = claim(9);
    EXPECT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed.at(0).run, (core::RunRef{job.id, RunKey(-key)}));
    EXPECT_TRUE(claim(9).empty());  // the others have been seen, and wait
    return grant_of(claimed[0]);
  };
  EXPECT_TRUE(end(failure(only(1), 1h)));  // by failing, to be tried again much later,
  pass(1s);
  const RunGrant second = only(2);
  must(store().return_runs({&second, 1}, 1h));                      // by being given back,
  EXPECT_TRUE(end(success(only(3))));                               // by success,
  EXPECT_TRUE(must(store().cancel_run({job.id, RunKey(-4)}, {})));  // before it began,
  EXPECT_TRUE(end(success(only(5))));
  EXPECT_TRUE(claim(9).empty());
  pass(1h);
  EXPECT_TRUE(end(success(only(1))));  // and those that come again, too.
  EXPECT_TRUE(end(success(only(2))));
}

TEST_P(RunsTest, FencesGrowOverRunsAndAttempts) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  Fence last;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const ClaimedRun run = claim(1).at(0);
    EXPECT_EQ(run.attempt, AttemptNo(static_cast<std::uint32_t>(attempt)));
    EXPECT_GT(run.fence, last);
    last = run.fence;
    EXPECT_TRUE(end(failure(grant_of(run), 0s)));
  }
  decide_runs(job.id, {120, 180});
  for (int i = 0; i < 3; ++i) {
    const ClaimedRun run = claim(1).at(0);
    EXPECT_GT(run.fence, last);
    last = run.fence;
    EXPECT_TRUE(end(success(grant_of(run))));
  }
}

TEST_P(RunsTest, AHeartbeatProlongsButNeverShortens) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const RunGrant grant = grant_of(claim(1).at(0));  // 30 s
  EXPECT_EQ(beat(grant, 10s), HeartbeatAnswer::kExtended);
  pass(29s);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());
  EXPECT_EQ(beat(grant, 30s), HeartbeatAnswer::kExtended);
  pass(29s);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());
  pass(1s);
  EXPECT_EQ(must(test::find_expired(store(), 9)).size(), 1U);
  // Late, but nobody took it away yet.
  EXPECT_EQ(beat(grant, 30s), HeartbeatAnswer::kExtended);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());
}

TEST_P(RunsTest, AStaleFenceChangesNothing) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const RunGrant old = grant_of(claim(1).at(0));
  EXPECT_TRUE(end(failure(old, 0s)));
  EXPECT_EQ(beat(old, 1h), HeartbeatAnswer::kFenced);  // waiting
  EXPECT_FALSE(end(success(old)));
  const ClaimedRun run = claim(1).at(0);
  EXPECT_EQ(beat(old, 1h), HeartbeatAnswer::kFenced);  // another holds it
  EXPECT_FALSE(end(success(old)));
  EXPECT_TRUE(must(store().facts_of({&old, 1})).empty());
  const RunRow row = run_of(job.id);
  EXPECT_EQ(row.state, RunState::kRunning);
  EXPECT_EQ(row.fence, run.fence);
  pass(30s);
  EXPECT_EQ(must(test::find_expired(store(), 9)).size(), 1U);  // the lease was not prolonged
  EXPECT_TRUE(end(success(grant_of(run))));
  EXPECT_FALSE(end(success(grant_of(run))));  // a repeat
  EXPECT_EQ(beat(grant_of(run), 1h), HeartbeatAnswer::kFenced);
  EXPECT_EQ(must(store().attempts_of(run.run)).size(), 2U);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

TEST_P(RunsTest, AnswersComeInTheOrderAsked) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60, 120, 180});
  const auto claimed = claim(9);
  ASSERT_EQ(claimed.size(), 3U);
  const RunGrant unknown{ref(job.id, 999), Fence(1)};
  EXPECT_TRUE(must(store().cancel_run(claimed[1].run)));
  const std::vector<RunGrant> grants = {grant_of(claimed[2]), unknown, grant_of(claimed[1])};
  using enum HeartbeatAnswer;
  EXPECT_EQ(must(store().heartbeat(grants, 30s)), std::vector({kExtended, kFenced, kCancel}));
  const std::vector<AttemptEnd> ends = {success(unknown), success(grants[2]), success(grants[0]),
                                        failure(grants[2], 1s), success(grant_of(claimed[0]))};
  EXPECT_EQ(must(store().end_attempts(ends)), std::vector({false, true, true, false, true}));
  for (const RunRow& run : must(store().runs_of(job.id))) {
    EXPECT_EQ(run.state, RunState::kSucceeded);
  }
}

TEST_P(RunsTest, AnEndGoesToHistory) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const Instant started = now();
  const ClaimedRun run = claim(1).at(0);
  pass(3s);
  AttemptEnd failed{.grant = grant_of(run),
                    .outcome = AttemptOutcome::kFailed,
                    .next = RunState::kDead,
                    .result = R"({"code":7})",
                    .error = "it's broken"};
  EXPECT_TRUE(end(failed));
  const RunRow row = run_of(job.id);
  EXPECT_EQ(row.run, run.run);
  EXPECT_EQ(row.state, RunState::kDead);
  EXPECT_EQ(row.started_at, started);
  EXPECT_EQ(row.finished_at, now());
  EXPECT_EQ(row.attempts, 1U);
  EXPECT_EQ(row.fence, run.fence);
  EXPECT_EQ(row.worker, "worker");
  EXPECT_NE(row.result.find("code"), std::string::npos);
  EXPECT_EQ(row.error, "it's broken");
  EXPECT_EQ(row.node, node(1).incarnation);
  const auto attempts = must(store().attempts_of(run.run));
  ASSERT_EQ(attempts.size(), 1U);
  EXPECT_EQ(attempts[0].run, run.run);
  EXPECT_EQ(attempts[0].attempt, AttemptNo(1));
  EXPECT_EQ(attempts[0].fence, run.fence);
  EXPECT_EQ(attempts[0].outcome, AttemptOutcome::kFailed);
  EXPECT_EQ(attempts[0].started_at, started);
  EXPECT_EQ(attempts[0].finished_at, now());
  EXPECT_EQ(attempts[0].worker, "worker");
  EXPECT_EQ(attempts[0].error, "it's broken");
}

TEST_P(RunsTest, ARetryWaitsItsTime) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const ClaimedRun run = claim(1).at(0);
  EXPECT_TRUE(end(failure(grant_of(run), 10s)));
  const RunRow row = run_of(job.id);
  EXPECT_EQ(row.state, RunState::kRetrying);
  EXPECT_FALSE(row.started_at);
  EXPECT_EQ(row.worker, "");
  EXPECT_EQ(row.attempts, 1U);
  EXPECT_EQ(must(test::next_due(store())), now() + 10s);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());
  pass(9999999us);
  EXPECT_TRUE(claim(9).empty());
  pass(1us);
  EXPECT_EQ(claim(9).at(0).attempt, AttemptNo(2));
  EXPECT_EQ(must(store().attempts_of(run.run)).size(), 1U);
}

TEST_P(RunsTest, LeasesAndDeadlinesRunOut) {
  JobStore::NewJob slow = new_job("slow", OverlapPolicy::kAllow);
  slow.definition.policies.timeout = 10s;
  const JobRow job = add(slow);
  const JobRow other = add_job("other");
  decide_runs(job.id, {60});
  decide_runs(other.id, {60});
  for (const ClaimedRun& run : claim(9)) beat(grant_of(run), 40s);
  EXPECT_TRUE(must(test::find_expired(store(), 9)).empty());
  pass(10s);
  const auto timed_out = must(test::find_expired(store(), 9));
  ASSERT_EQ(timed_out.size(), 1U);
  EXPECT_EQ(timed_out[0].grant.run, ref(job.id, 60));
  EXPECT_TRUE(timed_out[0].timed_out);
  EXPECT_EQ(timed_out[0].attempt, AttemptNo(1));
  pass(30s);
  const auto expired = must(test::find_expired(store(), 9));
  ASSERT_EQ(expired.size(), 2U);
  EXPECT_TRUE(expired[0].timed_out);  // the oldest first
  EXPECT_FALSE(expired[1].timed_out);
  EXPECT_EQ(must(test::find_expired(store(), 1)).size(), 1U);
}

TEST_P(RunsTest, TheReaperLosesAgainstAHeartbeat) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  const ClaimedRun run = claim(1).at(0);
  AttemptEnd reaped{.grant = grant_of(run),
                    .outcome = AttemptOutcome::kLeaseLost,
                    .next = RunState::kRetrying,
                    .wait = 0s,
                    .only_if_expired = true};
  EXPECT_FALSE(end(reaped));
  pass(30s);
  EXPECT_EQ(must(test::find_expired(store(), 9)).size(), 1U);
  beat(grant_of(run), 30s);
  EXPECT_FALSE(end(reaped));
  EXPECT_EQ(run_of(job.id).state, RunState::kRunning);
  EXPECT_TRUE(must(store().attempts_of(run.run)).empty());
  pass(30s);
  EXPECT_TRUE(end(reaped));
  EXPECT_EQ(beat(grant_of(run), 30s), HeartbeatAnswer::kFenced);
  EXPECT_EQ(must(store().attempts_of(run.run)).at(0).outcome, AttemptOutcome::kLeaseLost);
}

BELFRY_FOR_EACH_STORE(RunsTest);

}  // namespace
}  // namespace belfry::store
