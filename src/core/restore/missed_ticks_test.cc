#include "core/restore/missed_ticks.h"

#include "core/schedule/zone_catalog.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

using namespace std::chrono_literals;

constexpr Instant kBackup = from_unix_seconds(1'800'000'000);

class MissedTicksTest : public testing::Test {
 protected:
  MissedTicksTest() {
    definition_.name = "a";
    definition_.schedule.cron_expression = "* * * * *";
  }

  Fates decide(MissedTicks missed, Duration since = 10min) {
    const auto schedule = compile_schedule(TenantId(1), "a", definition_.schedule, zones_);
    EXPECT_TRUE(schedule);
    const JobFacts facts{.tenant = TenantId(1),
                         .definition = definition_,
                         .status = status_,
                         .effective_from = kBackup - 1h};
    return decide_restored(facts, *schedule,
                           {.after = kBackup, .through = kBackup + since, .now = kBackup + since},
                           missed);
  }

  ZoneCatalog zones_;
  JobDefinition definition_;
  JobStatus status_ = JobStatus::kActive;
};

TEST_F(MissedTicksTest, NoneRunsNotEvenTheLast) {
  for (const auto policy :
       {MisfirePolicy::kFireOnce, MisfirePolicy::kSkip, MisfirePolicy::kFireAll}) {
    definition_.policies.misfire = policy;
    const Fates fates = decide(MissedTicks::kSkip);
    EXPECT_TRUE(fates.runs.empty());
    ASSERT_EQ(fates.skips.size(), 1U);
    EXPECT_EQ(fates.skips[0].count, 10);
    EXPECT_EQ(fates.skips[0].reason, SkipReason::kRestored);
  }
}

TEST_F(MissedTicksTest, TheNewestRunsHoweverOldItIs) {
  definition_.policies.misfire = MisfirePolicy::kSkip;
  definition_.policies.misfire_grace = 1s;
  definition_.schedule.cron_expression = "0 0 * * *";
  const Fates fates = decide(MissedTicks::kLatest, 24h * 30);
  ASSERT_EQ(fates.runs.size(), 1U);
  EXPECT_EQ(fates.runs[0].stands_for, 1);
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].count, 29);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kRestored);
  EXPECT_LT(fates.skips[0].last, fates.runs[0].tick);
}

TEST_F(MissedTicksTest, EachRunsUpToTheJobsLimit) {
  EXPECT_EQ(decide(MissedTicks::kAll).runs.size(), 10U);
  definition_.policies.max_missed_firings = 4;
  const Fates fates = decide(MissedTicks::kAll);
  EXPECT_EQ(fates.runs.size(), 4U);
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].count, 6);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kRestored);
}

TEST_F(MissedTicksTest, PausedOnesStayPaused) {
  status_ = JobStatus::kPaused;
  const Fates fates = decide(MissedTicks::kAll);
  EXPECT_TRUE(fates.runs.empty());
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kPaused);
}

}  // namespace
}  // namespace belfry::core
