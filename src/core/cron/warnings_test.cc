#include "core/cron/warnings.h"

#include "core/cron/compile.h"
#include "core/cron/every.h"
#include "core/schedule/civil.h"
#include "core/schedule/zone_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace belfry::core {
namespace {

using Lines = std::vector<std::string>;

constexpr std::int64_t utc(int year, int month, int day) {
  return days_from_civil({year, month, day}) * kSecondsPerDay;
}
constexpr std::int64_t kFrom = utc(2026, 11, 15);

std::string rfc3339(std::int64_t t) {
  const CivilDate date = civil_from_days(floor_days(t));
  const auto second = static_cast<int>(t - floor_days(t) * kSecondsPerDay);
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", date.year, date.month,
                date.day, second / 3600, second / 60 % 60, second % 60);
  return text;
}

struct Options {
  std::string zone = "UTC";
  bool gap_skips = false;
  DstOverlap overlap = DstOverlap::kFirst;
  std::int64_t from = kFrom;
  Dialect dialect = Dialect::kStandard;
};

// Each warning as "code: message @ instant".
Lines warn(std::string_view text, const Options& options = {}) {
  static ZoneCatalog zones;
  const auto syntax = parse_syntax(text, options.dialect, "key");
  if (!syntax) return {"refused: " + to_string(syntax.error())};
  const CronRule rule(compile(*syntax), **zones.find(options.zone), options.overlap);
  Lines lines;
  for (const Warning& warning : warnings_for(*syntax, rule, options.gap_skips, options.from)) {
    lines.push_back(warning.code + ": " + warning.message);
    if (warning.at) lines.back() += " @ " + rfc3339(*warning.at);
  }
  return lines;
}

TEST(WarningsTest, SaysNothingWhereNothingIsOdd) {
  for (const char* text : {"* * * * *", "*/15 * * * *", "0 * * * *", "0 9 * * 1-5", "0 12 1 * *",
                           "0 12 L * *", "0 12 15W * *", "0 12 * * MON#1", "0 12 1,31 * *",
                           "0 12 * * 5L", "5/15 * * * *", "*/60 * * * *", "0 12 1 */3 *",
                           "10-50/7 * * * *", "*/7 12 * * *", "0 */6 * * *", "H/10 * * * *"}) {
    EXPECT_EQ(warn(text), Lines{}) << text;
  }
  EXPECT_EQ(warn("*/15 * * * *", {.zone = "Europe/Berlin"}), Lines{});
  EXPECT_EQ(warn("0 12 * * *", {.zone = "Europe/Berlin"}), Lines{});
  EXPECT_EQ(warn("*/15 8-18 * * *", {.zone = "America/New_York"}), Lines{});
}

TEST(WarningsTest, NeverFiresSaysWhy) {
  EXPECT_EQ(warn("0 0 30 2 *"), Lines{"never_fires: Never runs: February has no 30th"});
  EXPECT_EQ(warn("0 0 30,31 2 *"), Lines{"never_fires: Never runs: February has no 30th or 31st"});
  EXPECT_EQ(warn("0 0 31 4,6 *"), Lines{"never_fires: Never runs: April and June have no 31st"});
  EXPECT_EQ(warn("0 0 L-30 2 *"),
            Lines{"never_fires: Never runs: February has no day 30 days before the last"});
  EXPECT_EQ(warn("0 0 0 29 2 * 2027"),
            Lines{"never_fires: Never runs: February has a 29th in leap years only, and none of "
                  "its remaining years is one"});
  EXPECT_EQ(warn("0 0 0 ? 2 FRI#5 2027"),
            Lines{"never_fires: Never runs: February has a fifth Friday in leap years only, and "
                  "none of its remaining years is one"});
}

TEST(WarningsTest, NeverFiresAgainNamesTheLastRun) {
  EXPECT_EQ(warn("0 0 9 * * MON-FRI 2010-2017", {.zone = "Europe/Berlin"}),
            Lines{"never_fires: Never runs again: its last year, 2017, has passed; the last run "
                  "was on Fri 29 Dec 2017 at 09:00 @ 2017-12-29T08:00:00Z"});
  EXPECT_EQ(warn("0 0 9 1 1 * 2026", {.zone = "America/New_York"}),
            Lines{"never_fires: Never runs again: no match is left through 2026; the last run was "
                  "on Thu 1 Jan 2026 at 09:00 @ 2026-01-01T14:00:00Z"});
}

TEST(WarningsTest, NeverFiresWhenEveryTimeIsInAGapAndGapsAreSkipped) {
  EXPECT_EQ(warn("30 2 * 3 SUNL", {.zone = "Europe/Berlin", .gap_skips = true}),
            Lines{"never_fires: Never runs again: the clocks of Europe/Berlin jump over every time "
                  "it names; the last run was on Sun 30 Mar 1980 at 02:30 @ 1980-03-30T01:30:00Z"});
}

TEST(WarningsTest, EndOfScheduleGivesTheLastRun) {
  EXPECT_EQ(warn("0 0 9 * * MON-FRI 2026-2028", {.zone = "Europe/Berlin"}),
            Lines{"end_of_schedule: The last run is on Fri 29 Dec 2028 at 09:00 (Europe/Berlin); "
                  "none follows @ 2028-12-29T08:00:00Z"});
  EXPECT_EQ(warn("0 0 0 1 1 * 2030", {.zone = "Asia/Tokyo"}),
            Lines{"end_of_schedule: The last run is on Tue 1 Jan 2030 at 00:00 (Asia/Tokyo); none "
                  "follows @ 2029-12-31T15:00:00Z"});
  EXPECT_EQ(warn("0 0 12 * * * 2026-2199"), Lines{});
}

TEST(WarningsTest, BothDayFieldsSaysWhatItMeansAndHowToGetTheOther) {
  const std::string begin =
      "both_day_fields: Both day fields are set and either is enough: it runs ";
  const std::string alone =
      "; to use one alone put `*` into the other (cron cannot ask for both at once)";
  EXPECT_EQ(warn("0 12 13 * FRI"),
            Lines{begin + "on the 13th of the month and also on Fridays" + alone});
  EXPECT_EQ(warn("0 12 1,15 * 1-5"),
            Lines{begin + "on the 1st and 15th of the month and also Monday to Friday" + alone});
  EXPECT_EQ(warn("0 12 L * MON#1"),
            Lines{begin + "on the last day of the month and also on the first Monday" + alone});
  EXPECT_EQ(warn("0 12 1-31 * FRI"), Lines{begin + "every day" + alone});
  EXPECT_EQ(warn("0 12 8-14 * FRI"),
            Lines{begin + "from the 8th to the 14th of the month and also on Fridays; for the "
                          "second Friday of the month alone write `FRI#2` and put `*` into "
                          "day-of-month"});
}

TEST(WarningsTest, SomeMonthsSkippedNamesThemAndTheNext) {
  const std::string code = "some_months_skipped: ";
  EXPECT_EQ(warn("0 12 31 * *"),
            Lines{code + "February, April, June, September and November have no 31st; the next "
                         "month without a run is February 2027 @ 2027-02-01T00:00:00Z"});
  EXPECT_EQ(warn("0 12 31W 9-12 *", {.zone = "America/New_York"}),
            Lines{code + "September and November have no 31st; the next month without a run is "
                         "September 2027 @ 2027-09-01T04:00:00Z"});
  EXPECT_EQ(warn("0 12 30 * *", {.zone = "Europe/Berlin"}),
            Lines{code + "February has no 30th; the next month without a run is February 2027 @ "
                         "2027-01-31T23:00:00Z"});
  EXPECT_EQ(warn("0 12 29-31 * *"),
            Lines{code + "February has a 29th in leap years only; the next month without a run is "
                         "February 2027 @ 2027-02-01T00:00:00Z"});
  EXPECT_EQ(warn("0 12 L-30 * *"),
            Lines{code + "February, April, June, September and November have no day 30 days before "
                         "the last; the next month without a run is February 2027 @ "
                         "2027-02-01T00:00:00Z"});
  EXPECT_EQ(warn("0 12 * * FRI#5"),
            Lines{code + "Not every month has a fifth Friday; the next month without a run is "
                         "December 2026 @ 2026-12-01T00:00:00Z"});
  EXPECT_EQ(warn("0 0 12 31 * ? 2190-2199"),
            Lines{code + "February, April, June, September and November have no 31st; the next "
                         "month without a run is February 2190 @ 2190-02-01T00:00:00Z"});
}

TEST(WarningsTest, LeapDayNamesItsNextRun) {
  const std::string why = "some_months_skipped: February has a 29th in leap years only; ";
  EXPECT_EQ(warn("0 12 29 2 *", {.zone = "Europe/Berlin"}),
            Lines{why + "the next run is on Tue 29 Feb 2028 at 12:00 @ 2028-02-29T11:00:00Z"});
  EXPECT_EQ(warn("0 12 29 2 *", {.zone = "America/New_York", .from = utc(2096, 3, 1)}),
            Lines{why + "the next run is on Fri 29 Feb 2104 at 12:00 @ 2104-02-29T17:00:00Z"});
}

TEST(WarningsTest, UnevenStepGivesTheOddDistance) {
  const std::string code = "uneven_step: A step of ";
  EXPECT_EQ(warn("*/7 * * * *"), Lines{code + "7 minutes starts again at the full hour: from "
                                              "minute 56 to minute 0 it is 4 minutes"});
  EXPECT_EQ(warn("5/7 * * * *"), Lines{code + "7 minutes starts again at the full hour: from "
                                              "minute 54 to minute 5 it is 11 minutes"});
  EXPECT_EQ(warn("*/45 * * * *"), Lines{code + "45 minutes starts again at the full hour: from "
                                               "minute 45 to minute 0 it is 15 minutes"});
  EXPECT_EQ(warn("0 */5 * * *"), Lines{code + "5 hours starts again at midnight: from hour 20 to "
                                              "hour 00 it is 4 hours"});
  EXPECT_EQ(warn("0 12 */2 * *"),
            Lines{code + "2 days starts again on the 1st of the month: from the 31st to the 1st it "
                         "is 1 day (in a month of 31 days)"});
  EXPECT_EQ(warn("0 12 1 */5 *"), Lines{code + "5 months starts again in January: from November "
                                               "to January it is 2 months"});
  EXPECT_EQ(warn("0 12 * * */2"), Lines{code + "2 days starts again on Sunday: from Saturday to "
                                               "Sunday it is 1 day"});
}

TEST(WarningsTest, SubMinuteCountsTheRuns) {
  const std::string hint = "; for one run a minute put `0` into the first field, the seconds";
  EXPECT_EQ(warn("* * * * * *"),
            Lines{"every_second: Runs every second, 86,400 runs a day" + hint});
  EXPECT_EQ(warn("* 30 12 * * *"), Lines{"every_second: Runs every second, 60 runs a day" + hint});
  EXPECT_EQ(warn("*/10 * * * * *"), Lines{"sub_minute: Runs 6 times a minute, 8,640 runs a day"});
  EXPECT_EQ(warn("0,30 0 12 * * *"), Lines{"sub_minute: Runs 2 times a minute, 2 runs a day"});
  EXPECT_EQ(warn("*/7 * * * * *"),
            (Lines{"sub_minute: Runs 9 times a minute, 12,960 runs a day",
                   "uneven_step: A step of 7 seconds starts again at the full minute: from second "
                   "56 to second 0 it is 4 seconds"}));
}

TEST(WarningsTest, ATimeOfDayInBerlin) {
  const std::string gap = "dst_gap: On Sun 28 Mar 2027 02:30 does not exist in Europe/Berlin; ";
  const std::string overlap =
      "dst_overlap: On Sun 31 Oct 2027 02:30 happens twice in "
      "Europe/Berlin; ";
  const std::string gap_at = " @ 2027-03-28T01:00:00Z";
  const std::string overlap_at = " @ 2027-10-31T00:30:00Z";
  EXPECT_EQ(warn("30 2 * * *", {.zone = "Europe/Berlin"}),
            (Lines{gap + "it runs at 03:00 instead" + gap_at,
                   overlap + "it runs the first time only" + overlap_at}));
  EXPECT_EQ(warn("30 2 * * *", {.zone = "Europe/Berlin", .gap_skips = true}),
            (Lines{gap + "it is skipped" + gap_at,
                   overlap + "it runs the first time only" + overlap_at}));
  EXPECT_EQ(warn("30 2 * * *", {.zone = "Europe/Berlin", .overlap = DstOverlap::kBoth}),
            (Lines{gap + "it runs at 03:00 instead" + gap_at,
                   overlap + "it runs both times" + overlap_at}));
}

TEST(WarningsTest, TimesOfDayInNewYork) {
  EXPECT_EQ(warn("30 2 * * *", {.zone = "America/New_York"}),
            Lines{"dst_gap: On Sun 14 Mar 2027 02:30 does not exist in America/New_York; it runs "
                  "at 03:00 instead @ 2027-03-14T07:00:00Z"});
  EXPECT_EQ(warn("15,45 1,2 * * *", {.zone = "America/New_York"}),
            (Lines{"dst_gap: On Sun 14 Mar 2027 02:15 and 02:45 do not exist in America/New_York; "
                   "it runs once instead, at 03:00 @ 2027-03-14T07:00:00Z",
                   "dst_overlap: On Sun 7 Nov 2027 01:15 and 01:45 happen twice in "
                   "America/New_York; each runs the first time only @ 2027-11-07T05:15:00Z"}));
  EXPECT_EQ(warn("0 2,3 * * *", {.zone = "America/New_York"}),
            Lines{"dst_gap: On Sun 14 Mar 2027 02:00 does not exist in America/New_York; the run "
                  "at 03:00 stands for it @ 2027-03-14T07:00:00Z"});
  EXPECT_EQ(warn("0-50/10 2 * * *", {.zone = "America/New_York", .gap_skips = true}),
            Lines{"dst_gap: On Sun 14 Mar 2027 02:00, 02:10, … 02:50 do not exist in "
                  "America/New_York; they are skipped @ 2027-03-14T07:00:00Z"});
}

TEST(WarningsTest, UnusualClockChanges) {
  EXPECT_EQ(warn("15 2 * * *", {.zone = "Australia/Lord_Howe"}),
            Lines{"dst_gap: On Sun 3 Oct 2027 02:15 does not exist in Australia/Lord_Howe; it runs "
                  "at 02:30 instead @ 2027-10-02T15:30:00Z"});
  EXPECT_EQ(warn("@daily", {.zone = "America/Santiago"}),
            Lines{"dst_gap: On Sun 5 Sep 2027 00:00 does not exist in America/Santiago; it runs at "
                  "01:00 instead @ 2027-09-05T04:00:00Z"});
  EXPECT_EQ(warn("0 12 * * *", {.zone = "Pacific/Apia", .from = utc(2011, 12, 1)}),
            Lines{"dst_gap: On Fri 30 Dec 2011 12:00 does not exist in Pacific/Apia; it does not "
                  "run @ 2011-12-30T10:00:00Z"});
}

TEST(WarningsTest, IntervalsLimitedToAnHourThatChanges) {
  EXPECT_EQ(warn("*/15 2 * * *", {.zone = "Europe/Berlin"}),
            (Lines{"dst_interval: On Sun 28 Mar 2027 02:00, 02:15, 02:30 and 02:45 do not exist in "
                   "Europe/Berlin; it does not run at all that day @ 2027-03-28T01:00:00Z",
                   "dst_interval: On Sun 31 Oct 2027 02:00, 02:15, 02:30 and 02:45 happen twice in "
                   "Europe/Berlin; it runs both times @ 2027-10-31T00:00:00Z"}));
  EXPECT_EQ(warn("*/5 0-5 * * *", {.zone = "America/New_York"}),
            (Lines{"dst_interval: On Sun 14 Mar 2027 02:00, 02:05, … 02:55 do not exist in "
                   "America/New_York; it does not run then @ 2027-03-14T07:00:00Z",
                   "dst_interval: On Sun 7 Nov 2027 01:00, 01:05, … 01:55 happen twice in "
                   "America/New_York; it runs both times @ 2027-11-07T05:00:00Z"}));
}

TEST(WarningsTest, LooksThreeYearsAhead) {
  EXPECT_EQ(warn("0 30 2 28 3 * 2027-2199", {.zone = "Europe/Berlin", .from = utc(2024, 4, 1)}),
            Lines{"dst_gap: On Sun 28 Mar 2027 02:30 does not exist in Europe/Berlin; it runs at "
                  "03:00 instead @ 2027-03-28T01:00:00Z"});
  EXPECT_EQ(warn("0 30 2 28 3 * 2027-2199", {.zone = "Europe/Berlin", .from = utc(2024, 3, 1)}),
            Lines{});
}

TEST(WarningsTest, TakesAnyInstant) {
  EXPECT_EQ(warn("0 12 31 1 *", {.from = utc(1900, 1, 1)}), Lines{});
  EXPECT_EQ(warn("0 12 29 * *", {.from = utc(1966, 1, 1)}).size(), 1U);
  EXPECT_EQ(warn("0 12 * * *", {.from = utc(2300, 1, 1)}).size(), 1U);
}

struct Found {
  const Warning* never = nullptr;
  const Warning* end = nullptr;
  const Warning* gap = nullptr;
  const Warning* overlap = nullptr;
};

Found find(const std::vector<Warning>& warnings) {
  const auto of = [&](std::string_view code) -> const Warning* {
    const auto it = std::find_if(warnings.begin(), warnings.end(),
                                 [&](const Warning& warning) { return warning.code == code; });
    return it == warnings.end() ? nullptr : &*it;
  };
  return {of("never_fires"), of("end_of_schedule"), of("dst_gap"), of("dst_overlap")};
}

// The first fire within about three years that stands for a gap, found the slow way.
std::optional<std::int64_t> first_fire_after_gap(const CronRule& rule, std::int64_t from) {
  std::int64_t at = from;
  for (int i = 0; i < 3'000; ++i) {
    const auto fire = rule.next(at);
    if (!fire || fire->at > from + 1'000 * kSecondsPerDay) return std::nullopt;
    if (fire->after_gap) return fire->at;
    at = fire->at;
  }
  return std::nullopt;
}

void agree(const Found& found, const CronRule& rule, std::int64_t from) {
  EXPECT_EQ(found.never != nullptr, !rule.next(from));
  if (found.end != nullptr) {
    EXPECT_EQ(rule.next(*found.end->at - 1)->at, *found.end->at);
    EXPECT_FALSE(rule.next(*found.end->at));
  }
  const bool bridged = found.gap != nullptr && !found.gap->message.ends_with("not run");
  if (bridged) {
    EXPECT_EQ(rule.next(*found.gap->at - 1)->at, *found.gap->at);
  }
  if (found.overlap != nullptr) {
    EXPECT_EQ(rule.next(*found.overlap->at - 1)->at, *found.overlap->at);
  }
  if (const auto fire = first_fire_after_gap(rule, from)) {
    ASSERT_TRUE(found.gap);
    EXPECT_LE(*found.gap->at, *fire);
  }
}

TEST(WarningsTest, AgreeWithTheEngineOnTheConformanceData) {
  ZoneCatalog zones;
  int checked = 0;
  for (const char* file : {"dst", "year", "never", "days", "edge"}) {
    std::ifstream in(std::string(BELFRY_CRON_DATA) + "/" + file + ".tsv");
    for (std::string line; std::getline(in, line); ++checked) {
      SCOPED_TRACE(line);
      const std::size_t zone_at = line.find('\t') + 1;
      const std::size_t start_at = line.find('\t', zone_at) + 1;
      const auto number = [&](std::size_t at, std::size_t n) {
        return std::stoi(line.substr(start_at + at, n));
      };
      const std::int64_t from = utc(number(0, 4), number(5, 2), number(8, 2));
      const std::string text = line.substr(0, zone_at - 1);
      if (is_every(text)) continue;
      const auto syntax = parse_syntax(text, Dialect::kStandard, "");
      ASSERT_TRUE(syntax);
      const auto zone = zones.find(line.substr(zone_at, start_at - zone_at - 1));
      ASSERT_TRUE(zone);
      const CronRule rule(compile(*syntax), **zone, DstOverlap::kFirst);
      const auto warnings = warnings_for(*syntax, rule, false, from);
      agree(find(warnings), rule, from);
    }
  }
  EXPECT_GT(checked, 1'200);
}

}  // namespace
}  // namespace belfry::core
