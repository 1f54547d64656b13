#include "core/schedule/civil.h"

#include <gtest/gtest.h>

#include <chrono>

namespace belfry::core {
namespace {

static_assert(days_from_civil({1970, 1, 1}) == 0);
static_assert(days_from_civil({2000, 3, 1}) == 11'017);
static_assert(civil_from_days(11'016) == CivilDate{2000, 2, 29});
static_assert(civil_from_days(-1) == CivilDate{1969, 12, 31});
static_assert(weekday_of(0) == 4);   // a Thursday
static_assert(weekday_of(-5) == 6);  // a Saturday

// The standard library computes the same calendar by its own code.
TEST(CivilTest, AgreesWithTheStandardLibraryOnEveryDayOfSixCenturies) {
  using namespace std::chrono;
  for (std::int64_t day = -100'000; day < 120'000; ++day) {
    const sys_days point{days{day}};
    const year_month_day expected{point};
    const CivilDate date = civil_from_days(day);
    ASSERT_EQ(date.year, int{expected.year()}) << day;
    ASSERT_EQ(date.month, static_cast<int>(unsigned{expected.month()})) << day;
    ASSERT_EQ(date.day, static_cast<int>(unsigned{expected.day()})) << day;
    ASSERT_EQ(days_from_civil(date), day);
    ASSERT_EQ(weekday_of(day), static_cast<int>(weekday{point}.c_encoding())) << day;
  }
}

TEST(CivilTest, FloorsDaysBeforeTheEpoch) {
  EXPECT_EQ(floor_days(-1), -1);
  EXPECT_EQ(floor_days(-86'400), -1);
  EXPECT_EQ(floor_days(-86'401), -2);
  EXPECT_EQ(floor_days(86'399), 0);
}

}  // namespace
}  // namespace belfry::core
