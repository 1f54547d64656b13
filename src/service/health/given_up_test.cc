#include "service/health/given_up.h"

#include "tests/engine/dispatch_fixture.h"

namespace belfry::service {
namespace {

using namespace std::chrono_literals;
using test::must;

class GivenUpTest : public engine::DispatchFixture {
 protected:
  // A run that nobody starts within a day, which is the default.
  void let_die(JobId job) {
    trigger(job, 1);
    pass(25h);
    give_up(job);
  }
  void give_up(JobId job) {
    std::vector<core::RunRef> runs;
    for (const store::RunRow& run : must(truth_->runs_of(job))) runs.push_back(run.run);
    EXPECT_EQ(must(truth_->give_up(runs)).size(), 1U);
  }
  void work_on(JobId job) {
    trigger(job, 1);
    const auto runs = claim(1);
    ASSERT_EQ(runs.size(), 1U);
    const store::AttemptEnd end{.grant = grant_of(runs[0]),
                                .outcome = core::AttemptOutcome::kSucceeded,
                                .next = core::RunState::kSucceeded};
    EXPECT_TRUE(must(truth_->end_attempts({&end, 1})).at(0));
  }
  std::vector<GivenUpRuns> look() { return must(watch_.look(clock_.wall_now())); }

  GivenUpWatch watch_{*truth_};
};

TEST_F(GivenUpTest, IsToldOfAQueueUntilOneOfItsJobIsStarted) {
  const JobId job = add_job();
  EXPECT_TRUE(look().empty());
  const Instant due = clock_.wall_now();
  let_die(job);
  const auto found = look();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].queue, "default");
  EXPECT_EQ(found[0].tenant, TenantId(1));
  EXPECT_EQ(found[0].runs, 1);
  EXPECT_TRUE(found[0].exact);
  EXPECT_EQ(found[0].first, due);
  EXPECT_EQ(found[0].last, clock_.wall_now());
  EXPECT_FALSE(found[0].was_served);
  work_on(job);
  EXPECT_TRUE(look().empty());
}

TEST_F(GivenUpTest, IsHistoryAfterTenMinutes) {
  let_die(add_job());
  pass(9min);
  EXPECT_EQ(look().size(), 1U);
  pass(2min);
  EXPECT_TRUE(look().empty());
}

TEST_F(GivenUpTest, BeganWhenItWasSeenFirst) {
  const Instant due = clock_.wall_now();
  const JobId job = add_job();
  trigger(job, 1);
  pass(9min);
  trigger(job, 1);
  pass(24h - 9min);
  give_up(job);
  EXPECT_EQ(look().at(0).first, due);
  pass(9min);
  give_up(job);
  EXPECT_EQ(look().at(0).runs, 2);
  pass(5min);  // the first is out of sight, and it has not got better since
  const auto found = look();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].runs, 1);
  EXPECT_EQ(found[0].first, due);
}

TEST_F(GivenUpTest, NobodyIsMissingForAJobThatIsDeleted) {
  const JobId job = add_job();
  let_die(job);
  EXPECT_EQ(look().size(), 1U);
  must(truth_->change_job({.job = job, .status = core::JobStatus::kDeleted}));
  EXPECT_TRUE(look().empty());
}

TEST_F(GivenUpTest, WhatWaitedForARunOfItsOwnJobLacksNobody) {
  const JobId job = add_job("default", core::OverlapPolicy::kForbid);
  trigger(job, 1);
  ASSERT_EQ(claim(1).size(), 1U);
  let_die(job);
  EXPECT_TRUE(look().empty());
}

// This node need not know those who do: they may ask another one.
TEST_F(GivenUpTest, SaysWhetherSomebodyWorkedOnOthersOfTheQueue) {
  const JobId given_up = add_job();
  const JobId other = add_job();
  let_die(given_up);
  let_die(add_job("mail"));
  work_on(other);
  const auto found = look();
  ASSERT_EQ(found.size(), 1U) << "the first died a day ago";
  EXPECT_EQ(found[0].queue, "mail");
  EXPECT_FALSE(found[0].was_served);
  let_die(given_up);
  work_on(other);
  const auto later = look();
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].queue, "default");
  EXPECT_TRUE(later[0].was_served);
}

}  // namespace
}  // namespace belfry::service
