// What a change of a job decides itself: ticks that were due before it.
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::OverlapPolicy;
using core::SkipReason;

class SettleTest : public StoreTest {
 protected:
  SettleTest() { own_everything(); }

  Result<JobRow> change(const Change& wanted) {
    BELFRY_TRY(changed, store().change_job(wanted));
    return std::move(changed.job);
  }
  // Where each second counts, and those missed are skipped.
  static JobStore::NewJob every_second(const std::string& name, OverlapPolicy overlap) {
    JobStore::NewJob job = new_job(name, overlap);
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.misfire = core::MisfirePolicy::kSkip;
    return job;
  }
};

TEST_P(SettleTest, DueTicksAreDecidedUnderTheOldRevision) {
  JobStore::NewJob wanted = every_second("a", OverlapPolicy::kForbid);
  wanted.definition.policies.max_attempts = 2;
  const JobRow job = add(wanted);
  pass(150s);
  core::JobDefinition definition = wanted.definition;
  definition.policies.overlap = OverlapPolicy::kAllow;
  definition.policies.misfire = core::MisfirePolicy::kFireAll;
  definition.policies.max_attempts = 9;
  definition.schedule.cron_expression = "0 0 1 1 *";
  const PartitionDecision stale = decision(job.id, now());
  const Settled settled =
      must(store().change_job({.job = job.id, .definition = definition})).settled;
  EXPECT_EQ(settled.at, now());
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);  // the old policy forbids the others
  EXPECT_EQ(runs[0].run, ref(job.id, 150));
  EXPECT_EQ(runs[0].revision, 1U);
  EXPECT_EQ(runs[0].epoch, stale.epoch);
  EXPECT_EQ(runs[0].node, node(1).incarnation);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].reason, SkipReason::kMisfireSkipped);
  EXPECT_EQ(skips[0].first, tick(1));
  EXPECT_EQ(skips[0].last, tick(149));
  const RunGrant grant = grant_of(claim(1).at(0));
  EXPECT_EQ(must(store().facts_of({&grant, 1})).at(0).max_attempts, 2);
  // The cursor stays, and the owner has to hear of the change first.
  EXPECT_EQ(must(store().load_partition(stale.partition)).decided_through, kStart);
  EXPECT_EQ(decide(stale).partitions.at(0).outcome, DecideOutcome::kOutdated);
}

TEST_P(SettleTest, OnlyWhatTheCursorHasNotPassedIsDecided) {
  const JobRow job = add(every_second("a", OverlapPolicy::kAllow));
  pass(100s);
  decide(decision(job.id, now()));
  pass(3s);
  must(change({.job = job.id, .status = JobStatus::kPaused}));
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs.front().run, ref(job.id, 101));
  // What this change settled is not the next one's: the cursor is still where it was.
  pass(2s);
  const Settled again =
      must(store().change_job({.job = job.id, .status = JobStatus::kActive})).settled;
  EXPECT_TRUE(again.fates.runs.empty());
  ASSERT_EQ(again.fates.skips.size(), 1U);
  EXPECT_EQ(again.fates.skips[0].first, tick(104));
  EXPECT_EQ(again.fates.skips[0].count, 2);
  EXPECT_EQ(must(store().skips_of(job.id)).at(0).reason, SkipReason::kPaused);
}

TEST_P(SettleTest, WorksWithoutAnOwner) {
  const JobRow job = add_job("a");
  must(store().leave(node(1)));
  pass(60s);
  must(change({.job = job.id, .status = JobStatus::kPaused}));
  EXPECT_EQ(must(store().runs_of(job.id)).at(0).run, ref(job.id, 60));
  EXPECT_EQ(must(store().runs_of(job.id)).at(0).node, Incarnation());
}

TEST_P(SettleTest, ARefusedChangeDecidesNothing) {
  add_job("taken");
  const JobRow job = add_job("a");
  pass(60s);
  core::JobDefinition definition = job.definition;
  definition.name = "taken";
  const auto refused = change({.job = job.id, .definition = definition});
  EXPECT_EQ(code_of(refused), Errc::kConflict);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  EXPECT_EQ(must(store().find_job(job.id)).revision, 1U);
  EXPECT_EQ(must(store().find_job(job.id)).definition.name, "a");
}

TEST_P(SettleTest, AnEditThatDoesNotRescheduleLeavesTheTicksAlone) {
  const JobRow job = add_job("a");
  const JobsVersion version = version_of(partition_of(job.id));
  pass(60s);
  core::JobDefinition definition = job.definition;
  definition.payload = R"("new")";
  const auto [changed, settled] =
      must(store().change_job({.job = job.id, .definition = definition, .reschedules = false}));
  EXPECT_EQ(settled.fates, core::Fates());
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  EXPECT_EQ(changed.revision, 2U);
  EXPECT_EQ(changed.effective_from, kStart);
  EXPECT_EQ(version_of(partition_of(job.id)), version);
  EXPECT_EQ(must(store().find_job(job.id)).definition.payload, R"("new")");
}

// By another definition, or by the same one: the job was changed and changed back.
TEST_P(SettleTest, AnInstantThatHasAFateIsNotDecidedAgain) {
  const JobRow job = add(every_second("a", OverlapPolicy::kAllow));
  pass(5s);
  core::JobDefinition once = job.definition;
  once.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = now() - 1s};
  must(change({.job = job.id, .definition = once}));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 5U) << "settled once, as a second of before";
  const auto runs = claim(5);
  ASSERT_EQ(runs.size(), 5U);
  for (const ClaimedRun& run : runs) {
    EXPECT_TRUE(end({.grant = grant_of(run),
                     .outcome = core::AttemptOutcome::kSucceeded,
                     .next = core::RunState::kSucceeded}));
  }
  pass(1s);
  core::JobDefinition yearly = once;
  yearly.schedule = {.cron_expression = "0 0 1 1 *"};
  must(change({.job = job.id, .definition = yearly}));
  const Settled back = must(store().change_job({.job = job.id, .definition = once})).settled;
  EXPECT_EQ(back.fates, core::Fates());
  EXPECT_TRUE(claim(5).empty()) << "it has run";
}

// Of a skipped one, too.
TEST_P(SettleTest, AnInstantThatWasSkippedStaysSkipped) {
  const JobRow job = add(every_second("a", OverlapPolicy::kAllow));
  must(change({.job = job.id, .status = JobStatus::kPaused}));
  pass(5s);
  core::JobDefinition once = job.definition;
  once.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = now()};
  must(change({.job = job.id, .definition = once, .status = JobStatus::kActive}));
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
}

// Of a range of skips only the ends are written down. What lies between is a tick or is none.
TEST_P(SettleTest, AnInstantWithinARangeOfSkipsStaysSkipped) {
  const JobRow job = add(every_second("a", OverlapPolicy::kAllow));
  must(change({.job = job.id, .status = JobStatus::kPaused}));
  pass(5s);
  core::JobDefinition once = job.definition;
  once.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = now() - 2s};
  must(change({.job = job.id, .definition = once, .status = JobStatus::kActive}));
  ASSERT_EQ(must(store().skips_of(job.id)).size(), 1U);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());
  once.schedule.run_at = now() - 1500ms;
  must(change({.job = job.id, .definition = once}));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U) << "between two seconds there was no tick";
  once.schedule.run_at = now() - 1s;
  must(change({.job = job.id, .definition = once}));
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

BELFRY_FOR_EACH_STORE(SettleTest);

}  // namespace
}  // namespace belfry::store
