#include "store/common/job_rules.h"

#include <gtest/gtest.h>

namespace belfry::store {
namespace {

Instant at(std::int64_t second) {
  return Instant::from_micros(second * 1'000'000);
}

TEST(JobRulesTest, AChangeNeedsALivingJobAtTheRevisionItKnows) {
  JobRow job{.revision = 3};
  EXPECT_TRUE(check_change(job, {}));
  EXPECT_TRUE(check_change(job, {.if_revision = 3}));
  EXPECT_EQ(check_change(job, {.if_revision = 2}).error().code, Errc::kConflict);
  job.status = core::JobStatus::kDeleted;
  EXPECT_EQ(check_change(job, {}).error().code, Errc::kNotFound);
}

TEST(JobRulesTest, ADefinitionNeverTakesEffectBeforeWhatIsDecidedOrTheOneBeforeIt) {
  EXPECT_EQ(takes_effect(at(10), at(5), nullptr), at(10));
  EXPECT_EQ(takes_effect(at(10), at(15), nullptr), at(15));
  const JobRow before{.effective_from = at(20)};
  EXPECT_EQ(takes_effect(at(10), at(15), &before), at(20));
  EXPECT_EQ(takes_effect(at(30), at(15), &before), at(30));
}

TEST(JobRulesTest, AJobIsMadePausedIfItsRequestSaysSo) {
  JobRow job;
  start_as_asked(job, {.author = {.actor = "ann"}});
  EXPECT_EQ(job.status, core::JobStatus::kActive);
  EXPECT_EQ(job.paused_by, "");
  start_as_asked(job, {.paused = true, .author = {.actor = "ann"}});
  EXPECT_EQ(job.status, core::JobStatus::kPaused);
  EXPECT_EQ(job.paused_by, "ann");
}

TEST(JobRulesTest, AQuotaIsHeldToTheLastJob) {
  EXPECT_TRUE(check_quota(8, 2, 10));
  EXPECT_EQ(check_quota(8, 3, 10).error().code, Errc::kQuotaExceeded);
  EXPECT_TRUE(check_quota(8, 1'000, 0)) << "no limit";
  EXPECT_TRUE(check_quota(12, 0, 10)) << "nothing is added, whatever is there";
}

TEST(JobRulesTest, OtherRulesAreANewRevisionOnce) {
  JobRow before{.revision = 4};
  before.definition.schedule.calendar_rules = "12-25";
  JobRow after = before;
  count_new_rules(before, after);
  EXPECT_EQ(after.revision, 4U);
  after.definition.schedule.calendar_rules = "12-26";
  count_new_rules(before, after);
  EXPECT_EQ(after.revision, 5U);
  count_new_rules(before, after);
  EXPECT_EQ(after.revision, 5U) << "the change has made it one already";
}

}  // namespace
}  // namespace belfry::store
