#include "core/timetable/herd.h"

#include "base/text/instant_text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace belfry::core {
namespace {

using std::chrono::minutes;

const Instant kHour = *parse_instant("2026-11-16T09:00:00Z");

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}

ScheduleSpec cron(const std::string& expression) {
  return {.cron_expression = expression, .key = "1/job"};
}

std::vector<HerdJob> herd(int count) {
  std::vector<HerdJob> jobs;
  for (int i = 0; i < count; ++i) {
    jobs.push_back({.spec = cron("0 * * * *"), .after = Instant::min()});
    jobs.back().spec.key = "1/job" + std::to_string(i);
  }
  return jobs;
}

TEST(HerdTest, HalvesAMinuteAndLeavesTheOtherJobsAlone) {
  const auto jobs = herd(40);
  const HerdAdvice advice = advise(jobs, std::vector{kHour}, zones());
  ASSERT_EQ(advice.minutes.size(), 1U);
  EXPECT_EQ(advice.minutes[0].jobs.size(), 40U);
  EXPECT_EQ(advice.minutes[0].before, 40U);
  EXPECT_EQ(advice.minutes[0].after, 20U);
  EXPECT_EQ(advice.changes.size(), 20U);
  EXPECT_EQ(advice.changes[0].spread.after, "H * * * *");
}

TEST(HerdTest, EachChangeWasTried) {
  const HerdAdvice advice = advise(herd(200), std::vector{kHour}, zones());
  for (const HerdChange& change : advice.changes) {
    const auto schedule = Schedule::make(change.spread.spec, zones());
    ASSERT_TRUE(schedule);
    EXPECT_EQ(starts_in(*schedule, Instant::min(), kHour), 0U) << "its draw leaves it there";
  }
}

TEST(HerdTest, AChangeForOneMinuteCountsInAllOthers) {
  const std::vector<Instant> asked{kHour, kHour + minutes(60)};
  const HerdAdvice advice = advise(herd(40), asked, zones());
  EXPECT_EQ(advice.minutes[1].after, 20U);
  EXPECT_EQ(advice.changes.size(), 20U) << "the first minute's changes are enough";
}

TEST(HerdTest, EachKindOfScheduleHasItsOwnSpread) {
  using Type = ScheduleSpec::Type;
  const auto told = [](const ScheduleSpec& spec) {
    const auto spread = spreading(spec);
    return spread ? spread->field + " " + spread->after : "";
  };
  EXPECT_EQ(told(cron("0 * * * *")), "cron_expression H * * * *");
  EXPECT_EQ(told(cron("*/15 9-17 * * *")), "cron_expression H/15 9-17 * * *");
  EXPECT_EQ(told(cron("0 2 * * *")), "jitter 30m");
  EXPECT_EQ(told(cron("* * * * *")), "");
  EXPECT_EQ(told(cron("H 2 * * *")), "");
  EXPECT_EQ(told(cron("0 0 2 * * *")), "");
  EXPECT_EQ(told({.type = Type::kEvery, .every = minutes(10)}), "jitter 5m");
  EXPECT_EQ(told({.type = Type::kEvery, .every = minutes(10), .jitter = minutes(1)}), "");
  EXPECT_EQ(told({.type = Type::kEvery, .every = std::chrono::seconds(30)}), "");
  EXPECT_EQ(told({.type = Type::kOnce, .run_at = kHour}), "");
}

TEST(HerdTest, WhatAWindowHeldBackIsAHerdToo) {
  auto jobs = herd(10);
  for (HerdJob& job : jobs) {
    job.spec.cron_expression = "0 2 * * *";
    job.spec.calendar = std::make_shared<const Calendar>(
        *Calendar::make("c", std::vector<std::string>{"00:00..09:00"}, zones()));
    job.spec.calendar_policy = CalendarPolicy::kDelay;
  }
  const HerdAdvice advice = advise(jobs, std::vector{kHour}, zones());
  EXPECT_EQ(advice.minutes[0].before, 10U);
  EXPECT_LE(advice.minutes[0].after, 5U);
}

}  // namespace
}  // namespace belfry::core
