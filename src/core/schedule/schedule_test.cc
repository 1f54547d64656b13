#include "core/schedule/schedule.h"

#include "core/schedule/civil.h"

#include <gtest/gtest.h>

#include <set>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}

Instant at(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  return from_unix_seconds(days_from_civil({year, month, day}) * kSecondsPerDay + hour * 3600 +
                           minute * 60 + second);
}

Schedule schedule_of(const ScheduleSpec& spec) {
  auto schedule = Schedule::make(spec, zones());
  EXPECT_TRUE(schedule) << to_string(schedule.error());
  return *schedule;
}

std::shared_ptr<const Calendar> calendar_of(std::vector<std::string> rules) {
  return std::make_shared<const Calendar>(*Calendar::make("test", rules, zones()));
}

TEST(ScheduleTest, CronTicksAtWholeSecondsStrictlyAfter) {
  const Schedule schedule =
      schedule_of({.cron_expression = "0 9 * * *", .timezone = "Europe/Berlin"});
  EXPECT_EQ(schedule.next(at(2026, 1, 5, 7))->tick.instant(), at(2026, 1, 5, 8));
  EXPECT_EQ(schedule.next(at(2026, 1, 5, 8) - Duration(1))->tick.instant(), at(2026, 1, 5, 8));
  EXPECT_EQ(schedule.next(at(2026, 1, 5, 8))->tick.instant(), at(2026, 1, 6, 8));
  EXPECT_EQ(schedule.previous(at(2026, 1, 5, 8))->tick.instant(), at(2026, 1, 4, 8));
  EXPECT_EQ(schedule.previous(at(2026, 1, 5, 8) + Duration(1))->tick.instant(), at(2026, 1, 5, 8));
}

TEST(ScheduleTest, EveryIsAlignedToStartOrEpoch) {
  ScheduleSpec spec{.type = ScheduleSpec::Type::kEvery, .every = minutes(90)};
  EXPECT_EQ(schedule_of(spec).next(at(1970, 1, 1))->tick.instant(), at(1970, 1, 1, 1, 30));
  spec.start_at = at(2026, 1, 1, 0, 7);
  const Schedule schedule = schedule_of(spec);
  EXPECT_EQ(schedule.next(at(2020, 1, 1))->tick.instant(), at(2026, 1, 1, 0, 7));
  EXPECT_EQ(schedule.next(at(2026, 1, 1, 0, 7))->tick.instant(), at(2026, 1, 1, 1, 37));
  EXPECT_EQ(schedule.previous(at(2026, 1, 1, 0, 7)), std::nullopt);
  EXPECT_EQ(schedule.previous(at(2026, 1, 1, 5))->tick.instant(), at(2026, 1, 1, 4, 37));
}

TEST(ScheduleTest, EveryInACronExpressionIsTheSame) {
  ScheduleSpec spec{.cron_expression = "@every 1h30m", .start_at = at(2026, 1, 1, 0, 7)};
  EXPECT_EQ(schedule_of(spec).next(at(2026, 1, 1, 0, 7))->tick.instant(), at(2026, 1, 1, 1, 37));
}

TEST(ScheduleTest, OnceHasOneTickWithMicroseconds) {
  const Instant moment = at(2026, 1, 5) + Duration(123'456);
  const Schedule schedule = schedule_of({.type = ScheduleSpec::Type::kOnce, .run_at = moment});
  EXPECT_EQ(schedule.next(at(2026, 1, 1))->tick.instant(), moment);
  EXPECT_EQ(schedule.next(moment), std::nullopt);
  EXPECT_EQ(schedule.previous(moment), std::nullopt);
  EXPECT_EQ(schedule.previous(moment + Duration(1))->tick.instant(), moment);
}

TEST(ScheduleTest, BoundsIncludeBothEnds) {
  const Schedule schedule = schedule_of({.cron_expression = "0 * * * *",
                                         .start_at = at(2026, 1, 1, 10),
                                         .end_at = at(2026, 1, 1, 12)});
  EXPECT_EQ(schedule.next(at(2025, 1, 1))->tick.instant(), at(2026, 1, 1, 10));
  EXPECT_EQ(schedule.next(at(2026, 1, 1, 11))->tick.instant(), at(2026, 1, 1, 12));
  EXPECT_EQ(schedule.next(at(2026, 1, 1, 12)), std::nullopt);
  EXPECT_EQ(schedule.previous(at(2027, 1, 1))->tick.instant(), at(2026, 1, 1, 12));
  EXPECT_EQ(schedule.previous(at(2026, 1, 1, 10)), std::nullopt);
}

TEST(ScheduleTest, JitterIsStableWithinItsWindowAndSpreadsKeys) {
  ScheduleSpec spec{.cron_expression = "0 0 * * *", .jitter = minutes(5)};
  std::set<Instant> ticks;
  for (int i = 0; i < 1'000; ++i) {
    spec.key = "acme/job-" + std::to_string(i);
    const Tick tick = schedule_of(spec).next(at(2026, 1, 1))->tick;
    EXPECT_EQ(schedule_of(spec).next(at(2026, 1, 1))->tick, tick);
    EXPECT_GE(tick.instant(), at(2026, 1, 1) + Duration(0));
    EXPECT_LT(tick.instant(), at(2026, 1, 2) + minutes(5));
    EXPECT_EQ(schedule_of(spec).previous(tick.instant() + Duration(1))->tick, tick);
    ticks.insert(tick.instant());
  }
  EXPECT_GT(ticks.size(), 250U);  // of 300 possible
}

TEST(ScheduleTest, ExcludedTicksAreNamedAndPassedOverByNextRun) {
  const Schedule schedule = schedule_of({.cron_expression = "0 0 * * *",
                                         .timezone = "America/New_York",
                                         .calendar = calendar_of({"SAT,SUN"})});
  const auto saturday = schedule.next(at(2026, 11, 13, 12));  // a Friday
  EXPECT_EQ(saturday->tick.instant(), at(2026, 11, 14, 5));
  EXPECT_EQ(saturday->exclusion, Exclusion::kCalendar);
  EXPECT_EQ(schedule.next_run(at(2026, 11, 13, 12))->starts(), at(2026, 11, 16, 5));
}

// A second-by-second job has 172,800 excluded ticks in a weekend: they are passed over by the day.
TEST(ScheduleTest, NextRunSkipsExcludedDaysAtOnce) {
  const Schedule schedule = schedule_of({.cron_expression = "* * * * * *",
                                         .timezone = "Europe/Berlin",
                                         .calendar = calendar_of({"2026-01-01..2030-12-31"})});
  EXPECT_EQ(schedule.next_run(at(2026, 6, 1))->starts(), at(2030, 12, 31, 23));
}

TEST(ScheduleTest, JitterDoesNotMoveATickIntoAnotherCalendarDay) {
  ScheduleSpec spec{.cron_expression = "59 23 * * *",
                    .jitter = hours(2),
                    .calendar = calendar_of({"2026-01-01"}),
                    .key = "acme/late"};
  ASSERT_GT(jitter_for(spec.key, spec.jitter), minutes(1));
  const auto tick = schedule_of(spec).next(at(2026, 1, 1, 12));
  EXPECT_GT(tick->tick.instant(), at(2026, 1, 2));
  EXPECT_EQ(tick->exclusion, Exclusion::kCalendar);
}

TEST(ScheduleTest, GapPolicyTurnsTheSubstituteIntoANamedSkip) {
  ScheduleSpec spec{.cron_expression = "30 2 * * *", .timezone = "America/New_York"};
  EXPECT_EQ(schedule_of(spec).next(at(2024, 3, 10)), (Occurrence{Tick(at(2024, 3, 10, 7))}));
  spec.dst_gap = DstGap::kSkip;
  EXPECT_EQ(schedule_of(spec).next(at(2024, 3, 10)),
            (Occurrence{Tick(at(2024, 3, 10, 7)), Exclusion::kDstGap}));
  EXPECT_EQ(schedule_of(spec).next_run(at(2024, 3, 10))->starts(), at(2024, 3, 11, 6, 30));
}

TEST(ScheduleTest, OverlapPolicyFiresBothTimesWhenAsked) {
  ScheduleSpec spec{.cron_expression = "30 1 * * *", .timezone = "America/New_York"};
  EXPECT_EQ(schedule_of(spec).next(at(2024, 11, 3, 5, 30))->tick.instant(), at(2024, 11, 4, 6, 30));
  spec.dst_overlap = DstOverlap::kBoth;
  EXPECT_EQ(schedule_of(spec).next(at(2024, 11, 3, 5, 30))->tick.instant(), at(2024, 11, 3, 6, 30));
  EXPECT_EQ(schedule_of(spec).previous(at(2024, 11, 3, 6, 30))->tick.instant(),
            at(2024, 11, 3, 5, 30));
}

TEST(ScheduleTest, RefusesWithTheNameOfTheField) {
  const auto field_of = [](const ScheduleSpec& spec) {
    const auto schedule = Schedule::make(spec, zones());
    return schedule ? std::string("accepted") : schedule.error().field;
  };
  EXPECT_EQ(field_of({.cron_expression = "0 9 * * MOM"}), "day-of-week");
  EXPECT_EQ(field_of({.cron_expression = "0 9 * * *", .timezone = "Europe/Berlim"}), "timezone");
  EXPECT_EQ(field_of({.type = ScheduleSpec::Type::kEvery}), "every");
  EXPECT_EQ(field_of({.type = ScheduleSpec::Type::kEvery, .every = Duration(1'500'000)}), "every");
  EXPECT_EQ(field_of({.cron_expression = "@daily", .jitter = hours(25)}), "jitter");
  EXPECT_EQ(
      field_of({.cron_expression = "@daily", .start_at = at(2026, 1, 2), .end_at = at(2026, 1, 1)}),
      "end_at");
}

TEST(ScheduleTest, RegistrationRefusesWhatNeverRuns) {
  const Instant now = at(2026, 1, 1);
  EXPECT_TRUE(check_runs_at_all(schedule_of({.cron_expression = "@yearly"}), now));
  for (const ScheduleSpec& spec :
       {ScheduleSpec{.cron_expression = "0 0 30 2 *"},
        ScheduleSpec{.cron_expression = "0 0 0 1 1 * 2020"},
        ScheduleSpec{.cron_expression = "@yearly", .end_at = at(2026, 6, 1)},
        ScheduleSpec{.type = ScheduleSpec::Type::kOnce, .run_at = at(2025, 1, 1)},
        ScheduleSpec{.cron_expression = "0 0 * * SAT", .calendar = calendar_of({"SAT"})}}) {
    const auto status = check_runs_at_all(schedule_of(spec), now);
    ASSERT_FALSE(status) << spec.cron_expression;
    EXPECT_FALSE(status.error().hint.empty());
  }
}

TEST(ScheduleTest, AnEndBeforeTheFirstTickIsWhatIsWrong) {
  const ScheduleSpec spec{.cron_expression = "@yearly", .end_at = at(2026, 6, 1)};
  EXPECT_EQ(check_runs_at_all(schedule_of(spec), at(2026, 1, 1)).error().field, "end_at");
}

TEST(ScheduleTest, AnswersFromTheEndsOfTime) {
  for (const ScheduleSpec& spec :
       {ScheduleSpec{.cron_expression = "@yearly"}, ScheduleSpec{.cron_expression = "@every 1h"},
        ScheduleSpec{.type = ScheduleSpec::Type::kOnce, .run_at = at(2026, 1, 1)}}) {
    const Schedule schedule = schedule_of(spec);
    EXPECT_TRUE(schedule.next(Instant::min()));
    EXPECT_EQ(schedule.next(Instant::max()), std::nullopt);
    EXPECT_TRUE(schedule.previous(Instant::max()));
    EXPECT_EQ(schedule.previous(Instant::min()), std::nullopt);
  }
}

}  // namespace
}  // namespace belfry::core
