#include "core/backfill.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kNoon = from_unix_seconds(1'767'268'800);  // 2026-01-01T12:00Z

Schedule schedule_of(ScheduleSpec spec) {
  static ZoneCatalog zones;
  return *Schedule::make(spec, zones);
}

TEST(BackfillTest, BothEndsAreIncluded) {
  const Schedule every_minute = schedule_of({.cron_expression = "* * * * *"});
  const auto plan = plan_backfill(every_minute, kNoon, kNoon + minutes(2));
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->ticks, (std::vector<BackfillTick>{{Tick(kNoon), seconds(0)},
                                                    {Tick(kNoon + minutes(1)), seconds(60)},
                                                    {Tick(kNoon + minutes(2)), seconds(120)}}));
}

TEST(BackfillTest, ASlowScheduleIsNotAsSlowAgain) {
  const Schedule daily = schedule_of({.cron_expression = "0 12 * * *"});
  const auto plan = plan_backfill(daily, kNoon - hours(48), kNoon);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->ticks.size(), 3U);
  EXPECT_EQ(plan->ticks[2].wait, 2 * kLongestBackfillGap);
}

TEST(BackfillTest, ExcludedTicksAreCountedAndLeftOut) {
  const Schedule hourly = schedule_of(
      {.cron_expression = "0 * * * *", .calendar_name = "c", .calendar_rules = "2026-01-01"});
  const auto plan = plan_backfill(hourly, kNoon - hours(13), kNoon);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->ticks.size(), 1U);
  EXPECT_EQ(plan->excluded, 13);
}

TEST(BackfillTest, TheBoundsOfTheScheduleHold) {
  const Schedule bounded = schedule_of({.cron_expression = "* * * * *",
                                        .start_at = kNoon + minutes(1),
                                        .end_at = kNoon + minutes(3)});
  EXPECT_EQ(plan_backfill(bounded, kNoon, kNoon + hours(1))->ticks.size(), 3U);
}

TEST(BackfillTest, RefusesMoreThanTheMostAndNamesIt) {
  const Schedule every_second = schedule_of({.cron_expression = "* * * * * *"});
  EXPECT_TRUE(plan_backfill(every_second, kNoon, kNoon + seconds(9'999)));
  const auto refused = plan_backfill(every_second, kNoon, kNoon + seconds(10'000));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::kInvalid);
  EXPECT_EQ(refused.error().field, "to");
  EXPECT_NE(refused.error().message.find("10000"), std::string::npos);
}

TEST(BackfillTest, RefusesAnEndBeforeTheBeginning) {
  const auto refused =
      plan_backfill(schedule_of({.cron_expression = "* * * * *"}), kNoon, kNoon - seconds(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field, "to");
}

}  // namespace
}  // namespace belfry::core
