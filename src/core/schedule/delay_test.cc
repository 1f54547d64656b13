// What becomes of ticks that a calendar delays. WindowsTest holds the same against a model.
#include "base/text/instant_text.h"
#include "core/schedule/schedule.h"
#include "core/schedule/tick_walk.h"

#include <gtest/gtest.h>

#include <chrono>
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

Instant at(const char* text) {
  return *parse_instant(text);
}

Schedule delaying(ScheduleSpec spec, std::vector<std::string> rules) {
  spec.calendar = std::make_shared<const Calendar>(*Calendar::make("c", rules, zones()));
  spec.calendar_policy = CalendarPolicy::kDelay;
  auto schedule = Schedule::make(spec, zones());
  EXPECT_TRUE(schedule) << to_string(schedule.error());
  return *schedule;
}

Occurrence tick_of(const Schedule& schedule, const char* instant) {
  const auto found = schedule.next(at(instant) - Duration(1));
  EXPECT_TRUE(found && found->tick.instant() == at(instant)) << instant;
  return found.value_or(Occurrence{});
}

TEST(DelayTest, TheNewestTickRunsWhenTheWindowEnds) {
  const Schedule schedule = delaying({.cron_expression = "0 2 * * *"}, {"FRI 18:00..MON 06:00"});
  EXPECT_EQ(tick_of(schedule, "2026-11-13T02:00:00Z").starts(), at("2026-11-13T02:00:00Z"));
  EXPECT_EQ(tick_of(schedule, "2026-11-14T02:00:00Z").exclusion, Exclusion::kCoalesced);
  EXPECT_EQ(tick_of(schedule, "2026-11-15T02:00:00Z").exclusion, Exclusion::kCoalesced);
  const Occurrence monday = tick_of(schedule, "2026-11-16T02:00:00Z");
  EXPECT_EQ(monday.exclusion, Exclusion::kNone);
  EXPECT_EQ(monday.starts(), at("2026-11-16T06:00:00Z"));
}

TEST(DelayTest, ATickAtTheEndStandsForAllInside) {
  const Schedule schedule = delaying({.cron_expression = "0 * * * *"}, {"09:00..17:00"});
  EXPECT_EQ(tick_of(schedule, "2026-11-13T16:00:00Z").exclusion, Exclusion::kCoalesced);
  const Occurrence end = tick_of(schedule, "2026-11-13T17:00:00Z");
  EXPECT_EQ(end.exclusion, Exclusion::kNone);
  EXPECT_EQ(end.delay, Duration::zero());
}

TEST(DelayTest, NeighbouringWindowsAndDaysAreOne) {
  const Schedule schedule = delaying({.cron_expression = "0 12 * * *"},
                                     {"FRI 10:00..24:00", "SAT,SUN", "MON 00:00..07:30"});
  EXPECT_EQ(tick_of(schedule, "2026-11-13T12:00:00Z").exclusion, Exclusion::kCoalesced);
  EXPECT_EQ(tick_of(schedule, "2026-11-15T12:00:00Z").starts(), at("2026-11-16T07:30:00Z"));
}

TEST(DelayTest, NextRunSaysWhenItStarts) {
  const Schedule schedule = delaying({.cron_expression = "0 2 * * *"}, {"FRI 18:00..MON 06:00"});
  EXPECT_EQ(schedule.next_run(at("2026-11-13T12:00:00Z"))->starts(), at("2026-11-16T06:00:00Z"));
  // Its tick has come, and it waits.
  EXPECT_EQ(schedule.next_run(at("2026-11-16T03:00:00Z"))->starts(), at("2026-11-16T06:00:00Z"));
  EXPECT_EQ(schedule.next_run(at("2026-11-16T06:00:00Z"))->starts(), at("2026-11-17T02:00:00Z"));
  // The definition took effect after that tick.
  EXPECT_EQ(schedule.next_run(at("2026-11-16T03:00:00Z"), at("2026-11-16T02:30:00Z"))->starts(),
            at("2026-11-17T02:00:00Z"));
}

TEST(DelayTest, NextRunPassesOverAWeekendOfSeconds) {
  const Schedule schedule =
      delaying({.cron_expression = "* * * * * *"}, {"FRI 18:00:00..MON 06:00:30"});
  const auto next = schedule.next_run(at("2026-11-13T17:59:59Z"));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->tick.instant(), at("2026-11-16T06:00:30Z"));
}

TEST(DelayTest, JitterSpreadsWhatAWindowHeldBack) {
  ScheduleSpec spec{.cron_expression = "0 2 * * *", .jitter = minutes(30), .key = "1/some job"};
  const Duration shift = jitter_for(spec.key, spec.jitter);
  ASSERT_GT(shift, Duration::zero());
  const auto held = [&](std::vector<std::string> rules) {
    return delaying(spec, std::move(rules)).next_run(at("2026-11-16T00:00:00Z"))->starts();
  };
  EXPECT_EQ(held({"FRI 18:00..MON 06:00"}), at("2026-11-16T06:00:00Z") + shift);
  EXPECT_EQ(held({"MON"}), at("2026-11-17T00:00:00Z") + shift);
  // Never into another window.
  EXPECT_EQ(held({"FRI 18:00..MON 06:00", "MON 06:00:01..MON 08:00"}), at("2026-11-16T06:00:00Z"));
}

TEST(DelayTest, AnInstantInsideIsDelayed) {
  const ScheduleSpec once{.type = ScheduleSpec::Type::kOnce,
                          .run_at = at("2026-11-14T10:00:00.5Z")};
  const Schedule schedule = delaying(once, {"FRI 18:00..MON 06:00"});
  EXPECT_EQ(schedule.next_run(at("2026-11-13T00:00:00Z"))->starts(), at("2026-11-16T06:00:00Z"));
}

TEST(DelayTest, TheLastTickBeforeTheEndOfTheScheduleIsTheNewest) {
  const ScheduleSpec spec{.cron_expression = "0 * * * *", .end_at = at("2026-11-13T12:30:00Z")};
  const Schedule schedule = delaying(spec, {"09:00..17:30"});
  EXPECT_EQ(tick_of(schedule, "2026-11-13T11:00:00Z").exclusion, Exclusion::kCoalesced);
  EXPECT_EQ(tick_of(schedule, "2026-11-13T12:00:00Z").starts(), at("2026-11-13T17:30:00Z"));
}

TEST(DelayTest, ATickThatAGapSkipsStandsForNobody) {
  // 2026-03-29: the clocks of Berlin jump from 02:00 to 03:00.
  const ScheduleSpec spec{
      .cron_expression = "0 1,2 * * *", .timezone = "Europe/Berlin", .dst_gap = DstGap::kSkip};
  const Schedule schedule = delaying(spec, {"2026-03-29T00:30..2026-03-29T06:00"});
  EXPECT_EQ(tick_of(schedule, "2026-03-29T00:00:00Z").starts(), at("2026-03-29T04:00:00Z"));
  EXPECT_EQ(schedule.next_run(at("2026-03-28T23:45:00Z"))->starts(), at("2026-03-29T04:00:00Z"));
}

TEST(DelayTest, WhatStaysClosedForMoreThanAYearIsSkipped) {
  const Schedule schedule = delaying({.cron_expression = "0 12 1 * *"}, {"2026-01-01..2027-12-31"});
  EXPECT_EQ(tick_of(schedule, "2026-12-01T12:00:00Z").exclusion, Exclusion::kCalendar);
  EXPECT_EQ(tick_of(schedule, "2027-01-01T12:00:00Z").exclusion, Exclusion::kCoalesced);
  EXPECT_EQ(tick_of(schedule, "2027-12-01T12:00:00Z").starts(), at("2028-01-01T00:00:00Z"));
  EXPECT_EQ(schedule.next_run(at("2026-01-01T00:00:00Z"))->starts(), at("2028-01-01T00:00:00Z"));
}

// Starts grow with ticks: nothing that reads them in order needs to sort.
TEST(DelayTest, EveryTickHasOneFateAndStartsGrow) {
  const Schedule schedule =
      delaying({.cron_expression = "7,41 */3 * * *", .timezone = "Europe/Berlin"},
               {"FRI 18:00..MON 06:00", "21:00..07:13", "WED"});
  std::set<Instant> walked;
  TickWalk walk(schedule.rhythm(), at("2026-10-01T00:00:00Z"), at("2026-12-01T00:00:00Z"));
  while (const auto range = walk.next_range()) walked.insert(range->last.instant());
  Instant last = Instant::min();
  std::size_t runs = 0;
  for (auto found = schedule.next(at("2026-10-01T00:00:00Z"));
       found->tick.instant() < at("2026-12-01T00:00:00Z");
       found = schedule.next(found->tick.instant())) {
    if (found->exclusion != Exclusion::kNone) continue;
    EXPECT_GT(found->starts(), last);
    last = found->starts();
    if (found->delay == Duration::zero()) continue;
    ++runs;
    EXPECT_TRUE(walked.contains(found->tick.instant())) << "a delayed tick is a range of its own";
    EXPECT_EQ(schedule.next_run(found->starts() - seconds(1))->tick, found->tick);
  }
  EXPECT_GT(runs, 30U);
  EXPECT_LT(last, at("2026-12-01T00:00:00Z") + hours(72));
}

}  // namespace
}  // namespace belfry::core
