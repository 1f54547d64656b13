#include "service/jobs/explain_facts.h"

#include "tests/engine/dispatch_fixture.h"

namespace belfry::service {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using test::must;

// What is read of a job, from a real store.
class ExplainFactsTest : public engine::DispatchFixture {
 protected:
  ExplainFacts facts_of(JobId job, std::optional<Instant> at = {}) {
    const ExplainSources sources{*truth_, zones_, clock_.wall_now(), troubles_, regions_};
    return must(explain_facts(sources, must(truth_->find_job(job)), at));
  }
  Explanation explained(JobId job) { return explain(facts_of(job)); }
  void change(JobId job, const std::function<void(core::JobDefinition&)>& how, bool reschedules) {
    store::JobStore::JobChange change{.job = job};
    change.definition = must(truth_->find_job(job)).definition;
    how(*change.definition);
    change.reschedules = reschedules;
    must(truth_->change_job(change));
  }

  core::ZoneCatalog zones_;
  std::vector<Trouble> troubles_;
  Regions regions_{*truth_};
};

TEST_F(ExplainFactsTest, OnlyWhereRunsMayNotOverlapIsAnotherOneInTheWay) {
  for (const OverlapPolicy policy : {OverlapPolicy::kForbid, OverlapPolicy::kAllow}) {
    const JobId job = add_job("default", policy);
    trigger(job, 1);
    ASSERT_EQ(claim(1).size(), 1U);
    pass(1s);
    trigger(job, 1);
    const bool is_allowed = policy == OverlapPolicy::kAllow;
    EXPECT_EQ(facts_of(job).blocker.has_value(), !is_allowed);
    EXPECT_EQ(explained(job).cause, is_allowed ? "waiting" : "own_run");
  }
}

// A job with a limit has runs that wait until nothing of it is running.
TEST_F(ExplainFactsTest, BeyondMaxConcurrentARunOfItsJobIsInTheWay) {
  const JobId job = add_job("default", OverlapPolicy::kAllow);
  change(job, [](auto& definition) { definition.policies.max_concurrent = 1; }, false);
  trigger(job, 1);
  const auto going = claim(1);
  ASSERT_EQ(going.size(), 1U);
  pass(1s);
  trigger(job, 1);
  EXPECT_TRUE(claim(1).empty());
  EXPECT_EQ(explained(job).cause, "own_run");
  EXPECT_EQ(explained(job).blocked_by, going[0].run);
}

// However many wait with it.
TEST_F(ExplainFactsTest, TheRunInTheWayIsFoundBehindALongLine) {
  const JobId job = add_job("default", OverlapPolicy::kForbid);
  trigger(job, 1);
  const auto going = claim(1);
  ASSERT_EQ(going.size(), 1U);
  pass(1s);
  trigger(job, 50);
  EXPECT_EQ(explained(job).blocked_by, going[0].run);
}

TEST_F(ExplainFactsTest, WhatWasGivenUpBehindARunOfItsJobNamesThat) {
  const JobId job = add_job("default", OverlapPolicy::kForbid);
  trigger(job, 1);
  const auto going = claim(1);
  ASSERT_EQ(going.size(), 1U);
  pass(1s);
  trigger(job, 1);
  pass(25h);
  std::vector<core::RunRef> runs;
  for (const store::RunRow& run : must(truth_->runs_of(job))) runs.push_back(run.run);
  EXPECT_EQ(must(truth_->give_up(runs)).size(), 1U);
  EXPECT_EQ(explained(job).cause, "own_run");
  EXPECT_EQ(explained(job).blocked_by, going[0].run);
}

// The schedule of today has a tick an hour ago; the one of then had none.
TEST_F(ExplainFactsTest, TheLastTickIsThatOfTheScheduleOfThen) {
  const JobId job = add_job();  // once a year
  pass(2h);
  change(job, [](auto& definition) { definition.schedule.cron_expression = "0 * * * *"; }, true);
  const ExplainFacts facts = facts_of(job);
  EXPECT_TRUE(facts.never_ticked);
  EXPECT_EQ(explain(facts).verdict, "not_yet");
  pass(1h);
  const Instant tick = facts_of(job).at;
  EXPECT_FALSE(facts_of(job).never_ticked);
  pass(1min);
  change(job, [](auto& definition) { definition.schedule.cron_expression = "0 0 1 1 *"; }, true);
  EXPECT_EQ(facts_of(job).at, tick) << "it belongs to the schedule before";
  EXPECT_FALSE(facts_of(job).never_ticked);
}

TEST_F(ExplainFactsTest, ARunWaitsWhereItsJobWantedItThen) {
  const JobId job = add_job("mail");
  trigger(job, 1);
  pass(1s);
  change(job, [](auto& definition) { definition.job_type = "letters"; }, false);
  EXPECT_EQ(facts_of(job).queue, "mail");
  pass(1s);
  trigger(job, 1);
  EXPECT_EQ(facts_of(job).queue, "letters");
}

TEST_F(ExplainFactsTest, APauseThatIsOverIsNoCause) {
  const JobId job = add_job();
  store::JobStore::JobChange pause{.job = job, .status = core::JobStatus::kPaused};
  pause.paused_until = clock_.wall_now() + 1min;
  must(truth_->change_job(pause));
  EXPECT_EQ(explained(job).verdict, "paused");
  pass(1min);
  EXPECT_EQ(explained(job).verdict, "not_yet");
}

// Its worker has the last word about how it ended.
TEST_F(ExplainFactsTest, ARunThatWasReplacedWhileItWasGoingNamesTheNewerOne) {
  const JobId job = add_job("default", OverlapPolicy::kReplace);
  const Instant first = clock_.wall_now();
  trigger(job, 1);
  const auto going = claim(1);
  ASSERT_EQ(going.size(), 1U);
  pass(1s);
  trigger(job, 1);
  const core::RunRef newer = facts_of(job).run->run;
  pass(1s);
  const store::AttemptEnd end{.grant = grant_of(going[0]),
                              .outcome = core::AttemptOutcome::kCancelled,
                              .next = core::RunState::kCancelled,
                              .error = "stopped"};
  EXPECT_TRUE(must(truth_->end_attempts({&end, 1})).at(0));
  const Explanation answer = explain(facts_of(job, first));
  EXPECT_EQ(answer.verdict, "overlap_replaced");
  EXPECT_EQ(answer.blocked_by, newer);
}

TEST_F(ExplainFactsTest, ATriggeredRunIsFoundByItsInstant) {
  const JobId job = add_job();
  const Instant asked = clock_.wall_now();
  trigger(job, 1);
  pass(1h);
  const ExplainFacts facts = facts_of(job, asked);
  ASSERT_TRUE(facts.run);
  EXPECT_EQ(explain(facts).verdict, "run");
  EXPECT_EQ(explain(facts_of(job, asked + 1s)).verdict, "not_matching");
}

}  // namespace
}  // namespace belfry::service
