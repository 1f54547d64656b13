#include "core/settle.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_seconds(1'767'268'800);  // 2026-01-01T12:00Z

Tick at(Instant instant) {
  return Tick(instant);
}

class SettleTest : public testing::Test {
 protected:
  SettleTest() {
    job_.name = "job";
    job_.schedule.cron_expression = "* * * * * *";
    job_.policies.overlap = OverlapPolicy::kAllow;
  }
  JobFacts facts(JobStatus status = JobStatus::kActive) const {
    return {.tenant = TenantId(1),
            .definition = job_,
            .status = status,
            .paused_until = {},
            .effective_from = kNow - hours(1)};
  }
  void make_once(Instant run_at) {
    job_.schedule = {.type = ScheduleSpec::Type::kOnce, .run_at = run_at};
  }

  JobDefinition job_;
  ZoneCatalog zones_;
  ScheduleCache schedules_{zones_};
};

TEST_F(SettleTest, DecidesWhatIsDueAfterTheCursor) {
  const Fates fates = settle_end(facts(), kNow - seconds(3), kNow, schedules_);
  ASSERT_EQ(fates.runs.size(), 3U);
  EXPECT_EQ(fates.runs.front().tick, at(kNow - seconds(2)));
  EXPECT_EQ(fates.runs.back().tick, at(kNow)) << "due at this very moment";
  EXPECT_TRUE(fates.skips.empty());
}

TEST_F(SettleTest, DecidesNothingBeforeTheDefinitionTookEffect) {
  JobFacts job = facts();
  job.effective_from = kNow - seconds(2);
  const Fates fates = settle_end(job, kNow - hours(1), kNow, schedules_);
  ASSERT_EQ(fates.runs.size(), 2U);
  EXPECT_EQ(fates.runs.front().tick, at(kNow - seconds(1)));
}

TEST_F(SettleTest, DecidesNothingWhenTheCursorIsAhead) {
  const Fates fates = settle_end(facts(), kNow + seconds(5), kNow, schedules_);
  EXPECT_TRUE(fates.runs.empty());
  EXPECT_TRUE(fates.skips.empty());
}

TEST_F(SettleTest, LateTicksGoByTheMisfirePolicy) {
  job_.policies.misfire = MisfirePolicy::kSkip;
  const Instant on_time = kNow - kTickTolerance;
  const Fates fates = settle_end(facts(), kNow - minutes(1), kNow, schedules_);
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireSkipped);
  EXPECT_EQ(fates.skips[0].last, at(on_time - seconds(1)));
  EXPECT_EQ(fates.skips[0].count, 49);
  ASSERT_EQ(fates.runs.size(), 11U);
  EXPECT_EQ(fates.runs.front().tick, at(on_time));
}

TEST_F(SettleTest, TicksOfAPauseAreSkippedUntilItEnds) {
  JobFacts job = facts(JobStatus::kPaused);
  const Fates paused = settle_end(job, kNow - seconds(5), kNow, schedules_);
  EXPECT_TRUE(paused.runs.empty());
  ASSERT_EQ(paused.skips.size(), 1U);
  EXPECT_EQ(paused.skips[0].reason, SkipReason::kPaused);
  EXPECT_EQ(paused.skips[0].count, 5);
  job.paused_until = kNow - seconds(2);
  const Fates resumed = settle_end(job, kNow - seconds(5), kNow, schedules_);
  EXPECT_EQ(resumed.runs.size(), 3U);
  ASSERT_EQ(resumed.skips.size(), 1U);
  EXPECT_EQ(resumed.skips[0].count, 2);
}

TEST_F(SettleTest, AJobThatCannotTickHasNothingToSettle) {
  for (const auto status : {JobStatus::kCancelled, JobStatus::kCompleted, JobStatus::kDeleted}) {
    const Fates fates = settle_end(facts(status), kNow - seconds(5), kNow, schedules_);
    EXPECT_TRUE(fates.runs.empty() && fates.skips.empty());
  }
  make_once(kNow - hours(2));
  ASSERT_FALSE(settle_start(facts(), kNow, schedules_).skips.empty()) << "expired";
  for (const auto status : {JobStatus::kCancelled, JobStatus::kCompleted, JobStatus::kDeleted}) {
    const Fates fates = settle_start(facts(status), kNow, schedules_);
    EXPECT_TRUE(fates.runs.empty() && fates.skips.empty());
  }
}

TEST_F(SettleTest, AScheduleThatNoLongerCompilesHasNothingToSettle) {
  job_.schedule.timezone = "Europe/Atlantis";
  const Fates fates = settle_end(facts(), kNow - seconds(5), kNow, schedules_);
  EXPECT_TRUE(fates.runs.empty() && fates.skips.empty());
}

TEST_F(SettleTest, StaysWithinTheBoundsOfTheSchedule) {
  job_.schedule.start_at = kNow - seconds(6);
  job_.schedule.end_at = kNow - seconds(4);
  const Fates fates = settle_end(facts(), kNow - seconds(9), kNow, schedules_);
  ASSERT_EQ(fates.runs.size(), 3U) << "both ends are included";
  EXPECT_EQ(fates.runs.front().tick, at(kNow - seconds(6)));
  EXPECT_EQ(fates.runs.back().tick, at(kNow - seconds(4)));
}

TEST_F(SettleTest, AnInstantThatWasOverWhenTheDefinitionTookEffectIsDecidedByIt) {
  make_once(kNow - seconds(5));
  JobFacts job = facts();
  job.effective_from = kNow;
  const Fates fates = settle_start(job, kNow, schedules_);
  ASSERT_EQ(fates.runs.size(), 1U);
  EXPECT_EQ(fates.runs[0].tick, at(kNow - seconds(5)));
  job_.policies.misfire = MisfirePolicy::kSkip;
  make_once(kNow - minutes(5));
  const Fates late = settle_start(job, kNow, schedules_);
  EXPECT_TRUE(late.runs.empty());
  ASSERT_EQ(late.skips.size(), 1U);
  EXPECT_EQ(late.skips[0].reason, SkipReason::kMisfireSkipped);
}

TEST_F(SettleTest, AnInstantStillToComeIsLeftToTheOwner) {
  make_once(kNow + seconds(5));
  JobFacts job = facts();
  job.effective_from = kNow;
  EXPECT_TRUE(settle_start(job, kNow, schedules_).runs.empty());
  // Also when the cursor, and with it the start, has come to it exactly.
  job.effective_from = kNow + seconds(5);
  EXPECT_EQ(settle_start(job, kNow + seconds(5), schedules_).runs.size(), 1U);
}

TEST_F(SettleTest, OtherSchedulesBeginAfterTheChange) {
  const Fates fates = settle_start(facts(), kNow, schedules_);
  EXPECT_TRUE(fates.runs.empty() && fates.skips.empty());
}

TEST_F(SettleTest, TheNameOfTheJobDecidesWhatHashedFieldsDraw) {
  job_.schedule.cron_expression = "H * * * * *";
  const auto compiled = compile_schedule(TenantId(1), job_.name, job_.schedule, zones_);
  ASSERT_TRUE(compiled);
  const auto tick = compiled->next(kNow - minutes(1));
  ASSERT_TRUE(tick);
  const Fates fates = settle_end(facts(), kNow - minutes(1), kNow, schedules_);
  ASSERT_EQ(fates.runs.size(), 1U);
  EXPECT_EQ(fates.runs[0].tick, tick->tick);
}

}  // namespace
}  // namespace belfry::core
