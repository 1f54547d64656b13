#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunState;
using core::SkipReason;

class DecideTest : public StoreTest {
 protected:
  DecideTest() { own_everything(); }

  SkipDecision skip(JobId job, int first, int last, std::int64_t count, SkipReason reason) {
    return {job, tick(first), tick(last), count, reason};
  }
  DecideOutcome outcome(const PartitionDecision& made, std::uint64_t owner = 1) {
    return decide(made, owner).partitions.at(0).outcome;
  }
};

TEST_P(DecideTest, NothingIsDecidedBeforeItsTime) {
  const JobRow job = add_job("a");
  PartitionDecision ahead = decision(job.id, now() + 1us);
  ahead.decisions.runs = {{job.id, Tick(now() + 1us)}};
  EXPECT_EQ(decide(ahead).partitions.at(0).outcome, DecideOutcome::kEarly);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  pass(1us);
  EXPECT_EQ(decide(ahead).partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

TEST_P(DecideTest, ATickBecomesARunThatSaysWhoDecidedIt) {
  const JobRow job = add_job("a");
  pass(61s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.runs = {{job.id, tick(60), 3}};
  const DecideResult result = decide(made);
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.overlaps, 0U);
  EXPECT_EQ(result.decided_at, now());
  ASSERT_EQ(result.partitions.size(), 1U);
  EXPECT_EQ(result.partitions[0].decided_through, now());
  EXPECT_EQ(result.partitions[0].version, made.version);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run, ref(job.id, 60));
  EXPECT_EQ(runs[0].state, RunState::kReady);
  EXPECT_EQ(runs[0].origin, core::RunOrigin::kSchedule);
  EXPECT_EQ(runs[0].scheduled_for, tick(60).instant());
  EXPECT_EQ(runs[0].decided_at, now());
  EXPECT_EQ(runs[0].revision, 1U);
  EXPECT_EQ(runs[0].stands_for, 3);
  EXPECT_EQ(runs[0].epoch, made.epoch);
  EXPECT_EQ(runs[0].node, node(1).incarnation);
  EXPECT_EQ(runs[0].attempts, 0U);
  EXPECT_FALSE(runs[0].started_at);
  EXPECT_EQ(must(store().load_partition(made.partition)).decided_through, now());
}

TEST_P(DecideTest, ARepeatAfterALostReplyWritesNothing) {
  const JobRow job = add_job("a");
  pass(60s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.runs = {{job.id, tick(60)}};
  made.decisions.skips = {skip(job.id, 10, 20, 2, SkipReason::kPaused)};
  EXPECT_EQ(decide(made).runs.size(), 1U);
  // Even if the run is over by then.
  EXPECT_TRUE(end(success(grant_of(claim(1).at(0)))));
  const DecideResult again = decide(made);
  EXPECT_EQ(again.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(again.partitions.at(0).decided_through, now());
  EXPECT_EQ(again.runs.size(), 0U);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
  EXPECT_EQ(must(store().skips_of(job.id)).at(0).count, 2);
}

TEST_P(DecideTest, ADeposedOwnerWritesNothing) {
  const JobRow job = add_job("a");
  pass(60s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.runs = {{job.id, tick(60)}};
  made.decisions.skips = {skip(job.id, 10, 20, 2, SkipReason::kPaused)};
  PartitionDecision later = made;
  later.epoch = Epoch(made.epoch.value() + 1);
  EXPECT_EQ(outcome(later), DecideOutcome::kDeposed);
  EXPECT_EQ(outcome(made, 2), DecideOutcome::kDeposed);
  must(store().leave(node(1)));
  EXPECT_EQ(outcome(made), DecideOutcome::kDeposed);
  must(store().renew(node(2), 1h));
  must(store().acquire(node(2), 256));
  const PartitionOutcome told = decide(made).partitions.at(0);
  EXPECT_EQ(told.outcome, DecideOutcome::kDeposed);
  EXPECT_EQ(told.decided_through, kStart);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  EXPECT_TRUE(must(store().skips_of(job.id)).empty());
}

TEST_P(DecideTest, AnOwnerThatDoesNotKnowAllChangesIsOutdated) {
  const JobRow job = add_job("a");
  pass(60s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.runs = {{job.id, tick(60)}};
  PartitionDecision before = made;
  before.version = JobsVersion(made.version.value() - 1);
  const PartitionOutcome told = decide(before).partitions.at(0);
  EXPECT_EQ(told.outcome, DecideOutcome::kOutdated);
  EXPECT_EQ(told.version, made.version);
  EXPECT_EQ(told.decided_through, kStart);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  EXPECT_EQ(outcome(made), DecideOutcome::kDecided);
}

TEST_P(DecideTest, AnotherCursorIsOutdated) {
  const JobRow job = add_job("a");
  pass(60s);
  PartitionDecision made = decision(job.id, now());
  made.from = kStart + 1s;
  made.decisions.runs = {{job.id, tick(60)}};
  EXPECT_EQ(outcome(made), DecideOutcome::kOutdated);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  EXPECT_EQ(must(store().load_partition(made.partition)).decided_through, kStart);
}

TEST_P(DecideTest, OnePartitionRefusedDoesNotHinderTheOthers) {
  const JobRow a = add_job("a");
  JobRow b = add_job("b");
  for (int i = 0; partition_of(b.id) == partition_of(a.id); ++i) {
    b = add_job("b" + std::to_string(i));
  }
  pass(60s);
  std::vector<PartitionDecision> made = {decision(a.id, now()), decision(b.id, now())};
  if (made[0].partition < made[1].partition) std::swap(made[0], made[1]);
  made[0].decisions.runs = {{made[0].partition == partition_of(a.id) ? a.id : b.id, tick(60)}};
  made[1].decisions.runs = {{made[1].partition == partition_of(a.id) ? a.id : b.id, tick(60)}};
  made[0].epoch = Epoch(99);
  const DecideResult result = must(store().decide(node(1).incarnation, made));
  ASSERT_EQ(result.partitions.size(), 2U);
  EXPECT_EQ(result.partitions[0].partition, made[0].partition);
  EXPECT_EQ(result.partitions[0].outcome, DecideOutcome::kDeposed);
  EXPECT_EQ(result.partitions[1].outcome, DecideOutcome::kDecided);
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(must(store().runs_of(made[1].decisions.runs[0].job)).size(), 1U);
}

TEST_P(DecideTest, ForbidSkipsWhileARunLives) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  const DecideResult first = decide_runs(job.id, {60, 120, 180});
  EXPECT_EQ(first.runs.size(), 1U);
  EXPECT_EQ(first.overlaps, 2U);
  const ClaimedRun run = claim(9).at(0);
  EXPECT_EQ(decide_runs(job.id, {240}).overlaps, 1U);  // running
  EXPECT_TRUE(end(failure(grant_of(run), 1h)));
  EXPECT_EQ(decide_runs(job.id, {300}).overlaps, 1U);  // waiting for its next attempt
  EXPECT_TRUE(must(store().cancel_run(run.run)));
  EXPECT_EQ(decide_runs(job.id, {360}).runs.size(), 1U);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].first, tick(120));
  EXPECT_EQ(skips[0].last, tick(300));
  EXPECT_EQ(skips[0].count, 4);
  EXPECT_EQ(skips[0].reason, SkipReason::kOverlap);
}

TEST_P(DecideTest, QueueOneKeepsOneWaiting) {
  const JobRow job = add_job("a", OverlapPolicy::kQueueOne);
  EXPECT_EQ(decide_runs(job.id, {60}).runs.size(), 1U);
  const DecideResult second = decide_runs(job.id, {120, 180, 240});
  EXPECT_EQ(second.runs.size(), 1U);
  EXPECT_EQ(second.overlaps, 2U);
}

TEST_P(DecideTest, AllowCountsUpToMaxConcurrent) {
  JobStore::NewJob three = new_job("three", OverlapPolicy::kAllow);
  three.definition.policies.max_concurrent = 3;
  const JobRow limited = add(three);
  const JobRow unlimited = add_job("unlimited");
  EXPECT_EQ(decide_runs(limited.id, {60, 120}).runs.size(), 2U);
  const DecideResult result = decide_runs(limited.id, {180, 240});
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.overlaps, 1U);
  const DecideResult all = decide_runs(unlimited.id, {300, 301, 302, 303, 304, 305});
  EXPECT_EQ(all.runs.size(), 6U);
}

TEST_P(DecideTest, ReplaceRunsOnlyTheNewestTick) {
  const JobRow job = add_job("a", OverlapPolicy::kReplace);
  const DecideResult result = decide_runs(job.id, {60, 120, 180});
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.overlaps, 2U);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run, ref(job.id, 180));
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].reason, SkipReason::kOverlapReplaced);
  EXPECT_EQ(skips[0].count, 2);
  EXPECT_EQ(skips[0].last, tick(120));
}

TEST_P(DecideTest, ReplaceEndsWhatWaitsAndTellsWhatRuns) {
  const JobRow job = add_job("a", OverlapPolicy::kReplace);
  decide_runs(job.id, {60});
  const ClaimedRun running = claim(1).at(0);
  decide_runs(job.id, {120});
  decide_runs(job.id, {180});
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].state, RunState::kRunning);
  EXPECT_EQ(runs[1].state, RunState::kCancelled);
  EXPECT_EQ(runs[1].error, "replaced by a newer run");
  EXPECT_EQ(runs[1].finished_at, now());
  EXPECT_EQ(runs[2].state, RunState::kReady);
  EXPECT_EQ(beat(grant_of(running), 30s), HeartbeatAnswer::kCancel);
  EXPECT_TRUE(claim(9).empty());  // the old one has not let go yet
  EXPECT_TRUE(end(success(grant_of(running))));
  EXPECT_EQ(claim(9).at(0).run, ref(job.id, 180));
}

TEST_P(DecideTest, AThousandSkipsInARowAreOneRow) {
  const JobRow job = add_job("a");
  pass(1000s);
  const PartitionDecision first = decision(job.id, kStart + 1s);
  for (int second = 1; second <= 1'000; ++second) {
    PartitionDecision made = first;
    made.from = kStart + std::chrono::seconds(second - 1);
    made.to = kStart + std::chrono::seconds(second);
    made.decisions.skips = {skip(job.id, second, second, 1, SkipReason::kPaused)};
    ASSERT_EQ(outcome(made), DecideOutcome::kDecided);
  }
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].first, tick(1));
  EXPECT_EQ(skips[0].last, tick(1'000));
  EXPECT_EQ(skips[0].count, 1'000);
  EXPECT_EQ(skips[0].epoch, first.epoch);
}

TEST_P(DecideTest, ARunOrAnotherReasonClosesASkip) {
  const JobRow job = add_job("a");
  pass(100s);
  PartitionDecision made = decision(job.id, now());
  made.decisions.skips = {
      skip(job.id, 1, 3, 3, SkipReason::kPaused), skip(job.id, 4, 4, 1, SkipReason::kPaused),
      skip(job.id, 5, 6, 2, SkipReason::kCalendar), skip(job.id, 8, 8, 1, SkipReason::kCalendar)};
  made.decisions.runs = {{job.id, tick(7)}};
  decide(made);
  pass(100s);
  made = decision(job.id, now());
  made.decisions.skips = {skip(job.id, 109, 110, 2, SkipReason::kCalendar)};
  decide(made);
  decide_runs(job.id, {220});
  pass(100s);
  made = decision(job.id, now());
  made.decisions.skips = {skip(job.id, 230, 230, 1, SkipReason::kCalendar)};
  decide(made);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 4U);
  const std::vector<std::pair<int, int>> spans = {{1, 4}, {5, 6}, {8, 110}, {230, 230}};
  const std::vector<std::int64_t> counts = {4, 2, 3, 1};
  for (std::size_t i = 0; i < spans.size(); ++i) {
    EXPECT_EQ(skips[i].first, tick(spans[i].first)) << i;
    EXPECT_EQ(skips[i].last, tick(spans[i].second)) << i;
    EXPECT_EQ(skips[i].count, counts[i]) << i;
  }
}

TEST_P(DecideTest, ASkipDoesNotGoOnOverAChangeOfTheSchedule) {
  const JobRow job = add_job("a");
  const auto skip_at = [&](int second) {
    PartitionDecision made = decision(job.id, now());
    made.decisions.skips = {skip(job.id, second, second, 1, SkipReason::kCalendar)};
    decide(made);
  };
  pass(10s);
  skip_at(10);
  core::JobDefinition definition = job.definition;
  definition.payload = "[1]";
  pass(5s);
  must(store().change_job({.job = job.id, .definition = definition, .reschedules = false}));
  pass(5s);
  skip_at(20);
  definition.schedule.timezone = "Europe/Berlin";
  pass(5s);
  must(store().change_job({.job = job.id, .definition = definition}));
  pass(5s);
  skip_at(30);
  pass(10s);
  skip_at(40);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 2U);
  EXPECT_EQ(skips[0].last, tick(20)) << "another payload changes no tick";
  EXPECT_EQ(skips[1].first, tick(30));
  EXPECT_EQ(skips[1].last, tick(40));
}

TEST_P(DecideTest, AnOverlapGoesOnWithTheSkipBeforeIt) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  decide_runs(job.id, {60});
  decide_runs(job.id, {120});
  decide_runs(job.id, {180, 240});
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].count, 3);
  EXPECT_EQ(skips[0].last, tick(240));
}

TEST_P(DecideTest, SkipsOfSeveralJobsDoNotMix) {
  std::vector<JobRow> jobs;  // enough for two of them to share a partition
  for (int i = 0; i < 300; ++i) jobs.push_back(add_job("j" + std::to_string(i)));
  const PartitionNo partition = partition_of(jobs[0].id);
  pass(60s);
  PartitionDecision made = decision(jobs[0].id, now());
  std::vector<JobId> members;
  for (const JobRow& job : jobs) {
    if (partition_of(job.id) == partition) members.push_back(job.id);
  }
  for (const int second : {10, 20}) {
    for (const JobId job : members) made.decisions.runs.push_back({job, tick(second)});
  }
  for (const JobId job : members) {
    made.decisions.skips.push_back(skip(job, 15, 15, 1, SkipReason::kPaused));
  }
  EXPECT_EQ(decide(made).runs.size(), 2 * members.size());
  for (const JobId job : members) {
    EXPECT_EQ(must(store().runs_of(job)).size(), 2U);
    EXPECT_EQ(must(store().skips_of(job)).size(), 1U);
  }
}

TEST_P(DecideTest, TheKeyOfARunIsASecondWall) {
  const JobRow job = add_job("a");
  pass(60s);
  must(store().trigger({.job = job.id,
                        .key = core::run_key_of(tick(60)),
                        .origin = core::RunOrigin::kBackfill,
                        .tick = tick(60)}));
  EXPECT_EQ(decide_runs(job.id, {60}).runs.size(), 0U);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].origin, core::RunOrigin::kBackfill);
}

TEST_P(DecideTest, ARunTakesItsPoliciesFromTheJobsRow) {
  JobStore::NewJob wanted = new_job("a", OverlapPolicy::kAllow);
  wanted.definition.policies.max_attempts = 7;
  wanted.definition.policies.retry_base = 11s;
  wanted.definition.policies.retry_cap = 13min;
  wanted.definition.policies.timeout = 17s;
  wanted.definition.job_type = "special";
  const JobRow job = add(wanted);
  decide_runs(job.id, {60});
  EXPECT_TRUE(claim(1).empty());
  const ClaimedRun run = claim(1, "special").at(0);
  EXPECT_EQ(run.deadline, now() + 17s);
  const RunGrant grant = grant_of(run);
  const AttemptFacts facts = must(store().facts_of({&grant, 1})).at(0);
  EXPECT_EQ(facts.max_attempts, 7);
  EXPECT_EQ(facts.retry_base, 11s);
  EXPECT_EQ(facts.retry_cap, 13min);
}

BELFRY_FOR_EACH_STORE(DecideTest);

}  // namespace
}  // namespace belfry::store
