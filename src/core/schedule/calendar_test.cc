#include "core/schedule/calendar.h"

#include "core/schedule/civil.h"

#include <gtest/gtest.h>

namespace belfry::core {
namespace {

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}
Calendar calendar_of(std::vector<std::string> rules) {
  auto calendar = Calendar::make("test", rules, zones());
  EXPECT_TRUE(calendar) << to_string(calendar.error());
  return *calendar;
}
std::int64_t day(int year, int month, int day_of_month) {
  return days_from_civil({year, month, day_of_month});
}

TEST(CalendarTest, ExcludesDatesAndStretchesWithBothEnds) {
  const Calendar calendar =
      calendar_of({"2026-12-24..2027-01-02", "2026-05-01", "2026-12-30..2027-01-04"});
  EXPECT_TRUE(calendar.excludes(day(2026, 5, 1)));
  EXPECT_FALSE(calendar.excludes(day(2027, 5, 1)));
  EXPECT_FALSE(calendar.excludes(day(2026, 12, 23)));
  EXPECT_TRUE(calendar.excludes(day(2026, 12, 24)));
  EXPECT_TRUE(calendar.excludes(day(2027, 1, 4)));
  EXPECT_FALSE(calendar.excludes(day(2027, 1, 5)));
}

TEST(CalendarTest, ExcludesWeekdays) {
  const Calendar calendar = calendar_of({"SAT,SUN"});
  EXPECT_FALSE(calendar.excludes(day(2026, 11, 13)));  // a Friday
  EXPECT_TRUE(calendar.excludes(day(2026, 11, 14)));
  EXPECT_TRUE(calendar.excludes(day(2026, 11, 15)));
  EXPECT_FALSE(calendar.excludes(day(2026, 11, 16)));
}

TEST(CalendarTest, ExcludesByDayFieldsOfCron) {
  const Calendar calendar = calendar_of({"25 DEC *", "* NOV THU#4", "L * ?"});
  EXPECT_TRUE(calendar.excludes(day(2031, 12, 25)));
  EXPECT_FALSE(calendar.excludes(day(2031, 11, 25)));
  EXPECT_TRUE(calendar.excludes(day(2026, 11, 26)));  // Thanksgiving
  EXPECT_FALSE(calendar.excludes(day(2026, 11, 19)));
  EXPECT_TRUE(calendar.excludes(day(2028, 2, 29)));
  EXPECT_FALSE(calendar.excludes(day(2028, 2, 28)));
}

TEST(CalendarTest, RefusesWhatItCannotReadAndSaysWhatToWrite) {
  for (const char* rule : {"2026-02-30",
                           "2026-13-01",
                           "2026-12-24..2026-12-01",
                           "26-12-2026",
                           "",
                           "FUNDAY",
                           "1 2",
                           "2026-12-24...2026-12-26",
                           "2026-12-24 ",
                           "FRI 18:00..MON",
                           "FRI 18:00..FRI 18:00",
                           "25:00..26:00",
                           "24:00..06:00",
                           "FRI 18:00..MON 06:00 Europe/Berlim",
                           "last 28 days of month",
                           "last 0 days of year",
                           "first days of week",
                           "2026-12-24T18:00..2026-12-24",
                           "2026-12-24T18:00Z..2026-12-25T18:00",
                           "MON-FRI 09:00..SAT 10:00"}) {
    const std::string text = rule;
    const auto calendar = Calendar::make("test", std::vector{text}, zones());
    ASSERT_FALSE(calendar) << rule;
    EXPECT_EQ(calendar.error().field, "calendar");
    EXPECT_FALSE(calendar.error().hint.empty()) << rule;
  }
}

}  // namespace
}  // namespace belfry::core
