#include "core/misfire.h"

#include "core/catch_up_pace.h"
#include "core/cron/compile.h"
#include "core/schedule/civil.h"
#include "core/schedule/schedule.h"
#include "core/schedule/tick_walk.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::core {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_seconds(1'767'268'800);  // 2026-01-01T12:00Z

ZoneCatalog& zones() {
  static ZoneCatalog catalog;
  return catalog;
}
Rhythm cron(const std::string& expression, std::vector<std::string> excluded = {}) {
  ScheduleSpec spec{.cron_expression = expression};
  if (!excluded.empty()) {
    spec.calendar = std::make_shared<const Calendar>(*Calendar::make("c", excluded, zones()));
  }
  return Schedule::make(spec, zones())->rhythm();
}

// Facts of a job that was last decided `missed` ago.
DueFacts facts_of(const Rhythm& rhythm, const JobPolicies& policies, Duration missed) {
  return {
      .rhythm = rhythm, .policies = policies, .after = kNow - missed, .through = kNow, .now = kNow};
}

std::int64_t total(const Fates& fates) {
  auto count = static_cast<std::int64_t>(fates.runs.size());
  for (const SkippedTicks& skip : fates.skips) count += skip.count;
  return count;
}

TEST(MisfireTest, TicksOnTimeRun) {
  const Rhythm rhythm = cron("* * * * * *");
  const JobPolicies policies{.overlap = OverlapPolicy::kAllow};
  const Fates fates = decide_due(facts_of(rhythm, policies, seconds(7)));
  EXPECT_EQ(fates.runs.size(), 7U);
  EXPECT_TRUE(fates.skips.empty());
}

TEST(MisfireTest, FireOnceRunsTheNewestMissedTickForAll) {
  const Rhythm rhythm = cron("*/10 * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kFireOnce};
  DueFacts facts = facts_of(rhythm, policies, hours(2));
  facts.through = kNow - minutes(5);  // 11:50 is the newest
  facts.now = kNow - minutes(5);
  const Fates fates = decide_due(facts);
  ASSERT_EQ(fates.runs.size(), 1U);
  EXPECT_EQ(fates.runs[0], (RunTick{Tick(kNow - minutes(10)), 11, {}, true}));
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0], (SkippedTicks{Tick(kNow - minutes(110)), Tick(kNow - minutes(20)), 10,
                                          SkipReason::kMisfireCoalesced}));
}

// One at a time, the oldest would run, and the newest would be skipped for it.
TEST(MisfireTest, TheNewestStandsForAllThatAreDueAtOnce) {
  const Rhythm rhythm = cron("* * * * * *");
  for (const auto overlap :
       {OverlapPolicy::kForbid, OverlapPolicy::kQueueOne, OverlapPolicy::kReplace}) {
    for (const Duration missed : {Duration(seconds(7)), Duration(seconds(40))}) {
      const JobPolicies policies{.overlap = overlap};
      const Fates fates = decide_due(facts_of(rhythm, policies, missed));
      EXPECT_EQ(fates.runs, (std::vector<RunTick>{{Tick(kNow), missed / seconds(1)}}));
      ASSERT_EQ(fates.skips.size(), 1U);
      EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireCoalesced);
      EXPECT_EQ(fates.skips[0].count, missed / seconds(1) - 1);
    }
  }
}

TEST(MisfireTest, OfSeveralAtOnceSkipRunsTheOneOnTime) {
  const Rhythm rhythm = cron("* * * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kSkip};
  const Fates fates = decide_due(facts_of(rhythm, policies, seconds(7)));
  EXPECT_EQ(fates.runs, (std::vector<RunTick>{{Tick(kNow), 1}}));
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireSkipped);
  EXPECT_EQ(fates.skips[0].count, 6);
}

// A tick is on time as long as its job's grace, but for a second at least and ten at most.
TEST(MisfireTest, TheToleranceFollowsTheGrace) {
  const Rhythm rhythm = cron("0 * * * *");
  const auto decided = [&](Duration grace, Duration late) {
    const JobPolicies policies{.misfire = MisfirePolicy::kSkip, .misfire_grace = grace};
    DueFacts facts = facts_of(rhythm, policies, minutes(1));
    facts.through = facts.now = kNow + late;
    return decide_due(facts).runs.size();
  };
  EXPECT_EQ(decided(seconds(1), seconds(7)), 0U);
  EXPECT_EQ(decided(seconds(8), seconds(7)), 1U);
  EXPECT_EQ(decided(seconds(0), Duration(seconds(1))), 1U);
  EXPECT_EQ(decided(seconds(0), Duration(seconds(1)) + Duration(1)), 0U);
  EXPECT_EQ(decided(hours(1), seconds(10)), 1U);
  EXPECT_EQ(decided(hours(1), seconds(11)), 0U);
}

TEST(MisfireTest, FireOnceGivesUpWhatIsOlderThanTheGrace) {
  const Rhythm rhythm = cron("0 0 * * *");
  const JobPolicies policies;  // a grace of one hour, and midnight was twelve hours ago
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(24 * 3)));
  EXPECT_TRUE(fates.runs.empty());
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].count, 3);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireExpired);
}

TEST(MisfireTest, SkipRecordsOneRange) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kSkip};
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(1)));
  EXPECT_EQ(fates.runs, (std::vector<RunTick>{{Tick(kNow), 1}}));  // 12:00:00 is on time
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].count, 59);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireSkipped);
}

TEST(MisfireTest, FireAllRunsTheNewestUpToTheCapWithinTheGrace) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kFireAll, .max_missed_firings = 10};
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(2)));
  ASSERT_EQ(fates.runs.size(), 11U);  // ten missed, and the one on time
  EXPECT_EQ(fates.runs.front().tick, Tick(kNow - minutes(10)));
  ASSERT_EQ(fates.skips.size(), 1U);  // the limit was tighter than the grace
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireLimit);
  EXPECT_EQ(fates.skips[0].count, 109);
  EXPECT_EQ(total(fates), 120);
}

TEST(MisfireTest, FireAllGivesUpWhatIsOlderThanTheGrace) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kFireAll, .misfire_grace = minutes(30)};
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(2)));
  EXPECT_EQ(fates.runs.size(), 31U);
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireExpired);
  EXPECT_EQ(fates.skips[0].count, 89);
}

// Past and present runs together start at most twice as often as the normal ones.
TEST(MisfireTest, CatchingUpIsAtMostTwiceTheNormalRate) {
  const JobPolicies policies{.misfire = MisfirePolicy::kFireAll, .misfire_grace = hours(9)};
  for (const auto& rhythm : {cron("* * * * * *"), cron("* * * * *"), cron("*/7 * * * *"),
                             cron("0,1,2 * * * *"), cron("*/10 9-10 * * *")}) {
    const Fates fates = decide_due(facts_of(rhythm, policies, hours(8)));
    std::vector<Instant> starts;
    for (const RunTick& run : fates.runs) starts.push_back(run.due.value_or(run.tick.instant()));
    ASSERT_GT(starts.size(), 3U);
    const Instant last = *std::max_element(starts.begin(), starts.end());
    std::size_t normal = 0;  // at most, in any hour
    for (Instant at = kNow - hours(24); const auto found = rhythm.next(at);) {
      at = found->tick.instant();
      if (at > last) break;
      if (at > kNow) starts.push_back(at);
      std::size_t in_hour = 0;
      TickWalk walk(rhythm, at - Duration(1), at + hours(1) - Duration(1));
      while (const auto range = walk.next_range())
        in_hour += static_cast<std::size_t>(range->count);
      normal = std::max(normal, in_hour);
    }
    std::sort(starts.begin(), starts.end());
    for (auto from = starts.begin(); from != starts.end(); ++from) {
      const auto to = std::lower_bound(from, starts.end(), *from + hours(1));
      EXPECT_LE(static_cast<std::size_t>(to - from), 2 * normal);
    }
  }
}

TEST(MisfireTest, MissedTicksStandInLineAndThoseOnTimeDoNot) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies{.misfire = MisfirePolicy::kFireAll};
  const Fates fates = decide_due(facts_of(rhythm, policies, minutes(4)));
  ASSERT_EQ(fates.runs.size(), 4U);
  EXPECT_EQ(fates.runs[0], (RunTick{Tick(kNow - minutes(3)), 1, kNow}));
  EXPECT_EQ(fates.runs[1], (RunTick{Tick(kNow - minutes(2)), 1, kNow + minutes(1)}));
  EXPECT_EQ(fates.runs[2], (RunTick{Tick(kNow - minutes(1)), 1, kNow + minutes(2)}));
  EXPECT_EQ(fates.runs[3], (RunTick{Tick(kNow), 1, std::nullopt}));
}

TEST(MisfireTest, ARunThatReplacesOthersStandsInNoLine) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies{.overlap = OverlapPolicy::kReplace,
                             .misfire = MisfirePolicy::kFireAll};
  for (const RunTick& run : decide_due(facts_of(rhythm, policies, minutes(4))).runs) {
    EXPECT_FALSE(run.due);
  }
}

TEST(SpreadTest, KeepsTheGapsUpToTheLongest) {
  CatchUpPace spread(kNow, minutes(1));
  EXPECT_EQ(spread.due(Tick(kNow - hours(9))), kNow);
  EXPECT_EQ(spread.due(Tick(kNow - hours(9) + seconds(5))), kNow + seconds(5));
  EXPECT_EQ(spread.due(Tick(kNow - hours(2))), kNow + seconds(65));
}

TEST(MisfireTest, PausedTicksAreOneRangeUntilThePauseEnds) {
  const Rhythm rhythm = cron("* * * * *");
  const JobPolicies policies;
  DueFacts facts = facts_of(rhythm, policies, hours(1));
  facts.status = JobStatus::kPaused;
  const Fates paused = decide_due(facts);
  EXPECT_TRUE(paused.runs.empty());
  ASSERT_EQ(paused.skips.size(), 1U);
  EXPECT_EQ(paused.skips[0].count, 60);
  EXPECT_EQ(paused.skips[0].reason, SkipReason::kPaused);
  facts.paused_until = kNow - seconds(5);
  const Fates resumed = decide_due(facts);
  EXPECT_EQ(resumed.runs, (std::vector<RunTick>{{Tick(kNow), 1}}));
  EXPECT_EQ(resumed.skips[0].count, 59);
}

TEST(MisfireTest, TheTickAtTheEndOfAPauseRuns) {
  const Rhythm rhythm = cron("0 * * * *");
  const JobPolicies policies;
  DueFacts facts = facts_of(rhythm, policies, hours(3));
  facts.status = JobStatus::kPaused;
  facts.paused_until = kNow;
  const Fates fates = decide_due(facts);
  EXPECT_EQ(fates.runs, (std::vector<RunTick>{{Tick(kNow), 1}}));
  ASSERT_EQ(fates.skips.size(), 1U);
  EXPECT_EQ(fates.skips[0].count, 2);
}

TEST(MisfireTest, ExcludedTicksKeepTheirOwnReason) {
  const Rhythm rhythm = cron("0 * * * *", {"2025-12-31"});
  const JobPolicies policies{.misfire = MisfirePolicy::kSkip};
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(14)));
  ASSERT_EQ(fates.skips.size(), 2U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kCalendar);
  EXPECT_EQ(fates.skips[0].count, 1);  // 23:00
  EXPECT_EQ(fates.skips[1].reason, SkipReason::kMisfireSkipped);
  EXPECT_EQ(total(fates), 14);
}

// Thirty days of a one-second job cost a handful of rows, whatever the policy.
// A window that ends at 13:00, an hour after now; its newest tick is 11:40.
Rhythm delaying(const std::string& end) {
  ScheduleSpec spec{.cron_expression = "40 8-11 * * *", .calendar_policy = CalendarPolicy::kDelay};
  spec.calendar =
      std::make_shared<const Calendar>(*Calendar::make("c", std::vector{"09:00.." + end}, zones()));
  return Schedule::make(spec, zones())->rhythm();
}

TEST(MisfireTest, ADelayedTickIsOnTimeWhileItsWindowLasts) {
  const Rhythm rhythm = delaying("13:00");
  for (const auto misfire :
       {MisfirePolicy::kFireOnce, MisfirePolicy::kSkip, MisfirePolicy::kFireAll}) {
    // Nobody decided since 11:00; 10:40 and before were.
    const JobPolicies policies{.misfire = misfire, .misfire_grace = minutes(1)};
    const Fates fates = decide_due(facts_of(rhythm, policies, hours(1)));
    ASSERT_EQ(fates.runs.size(), 1U);
    EXPECT_EQ(fates.runs[0],
              (RunTick{.tick = Tick(kNow - minutes(20)), .due = kNow + hours(1), .delayed = true}));
    EXPECT_TRUE(fates.skips.empty());
  }
}

TEST(MisfireTest, TheLatenessOfADelayedTickCountsFromTheEndOfItsWindow) {
  const Rhythm rhythm = delaying("11:58");
  const auto decided = [&](const JobPolicies& policies) {
    return decide_due(facts_of(rhythm, policies, hours(1)));
  };
  const Fates once = decided({.misfire_grace = minutes(5)});
  ASSERT_EQ(once.runs.size(), 1U);
  EXPECT_TRUE(once.runs[0].stands_in);
  EXPECT_FALSE(once.runs[0].delayed);
  EXPECT_EQ(once.runs[0].due, std::nullopt);
  EXPECT_EQ(decided({.misfire_grace = minutes(1)}).skips.at(0).reason, SkipReason::kMisfireExpired);
  EXPECT_EQ(decided({.misfire = MisfirePolicy::kSkip}).skips.at(0).reason,
            SkipReason::kMisfireSkipped);
  const Fates all = decided({.misfire = MisfirePolicy::kFireAll, .misfire_grace = minutes(5)});
  ASSERT_EQ(all.runs.size(), 1U);
  EXPECT_EQ(all.runs[0].due, kNow);
}

TEST(MisfireTest, OthersInAWindowThatDelaysHaveTheirOwnReason) {
  const Rhythm rhythm = delaying("13:00");
  const JobPolicies policies{.misfire_grace = hours(9)};
  const Fates fates = decide_due(facts_of(rhythm, policies, hours(5)));
  // 8:40 is before the window, and missed: the newest, which is delayed, stands for it.
  ASSERT_EQ(fates.runs.size(), 1U);
  EXPECT_EQ(fates.runs[0].due, kNow + hours(1));
  EXPECT_EQ(fates.runs[0].stands_for, 2);
  ASSERT_EQ(fates.skips.size(), 2U);
  EXPECT_EQ(fates.skips[0].reason, SkipReason::kMisfireCoalesced);
  EXPECT_EQ(fates.skips[1], (SkippedTicks{Tick(kNow - minutes(140)), Tick(kNow - minutes(80)), 2,
                                          SkipReason::kCalendarCoalesced}));
}

TEST(MisfireTest, AMonthOfSecondsIsAFewRows) {
  const Rhythm rhythm = cron("* * * * * *");
  const Duration month = hours(24 * 30);
  for (const MisfirePolicy policy :
       {MisfirePolicy::kFireOnce, MisfirePolicy::kSkip, MisfirePolicy::kFireAll}) {
    const JobPolicies policies{.misfire = policy, .max_missed_firings = 100};
    const Fates fates = decide_due(facts_of(rhythm, policies, month));
    EXPECT_EQ(total(fates), month / seconds(1));
    EXPECT_LE(fates.runs.size(), 100U + 11U);
    EXPECT_EQ(fates.skips.size(), 1U);
  }
}

// Every tick has exactly one fate: the fates laid side by side are the rhythm's ticks, in order.
TEST(MisfireTest, CoversEveryTickOnce) {
  const JobPolicies once{.misfire = MisfirePolicy::kFireOnce};
  const JobPolicies all{.misfire = MisfirePolicy::kFireAll, .max_missed_firings = 17};
  const JobPolicies skip{.misfire = MisfirePolicy::kSkip};
  for (const auto& rhythm : {cron("*/7 * * * * *"), cron("*/5 * * * *"), cron("0 0 * * *"),
                             cron("* * * * * *", {"2026-01-01"}), cron("0 * * * *", {"WED"})}) {
    for (const JobPolicies* policies : {&once, &all, &skip}) {
      for (const Duration missed :
           {Duration(seconds(3)), Duration(minutes(3)), Duration(hours(30))}) {
        const Fates fates = decide_due(facts_of(rhythm, *policies, missed));
        std::int64_t expected = 0;
        TickWalk walk(rhythm, kNow - missed, kNow);
        while (const auto range = walk.next_range()) expected += range->count;
        EXPECT_EQ(total(fates), expected);
        for (const SkippedTicks& skipped : fates.skips) {
          EXPECT_LE(skipped.first, skipped.last);
          for (const RunTick& run : fates.runs) {
            EXPECT_TRUE(run.tick < skipped.first || run.tick > skipped.last);
          }
        }
      }
    }
  }
}

TEST(TickWalkTest, CountsAsTheRhythmDoes) {
  for (const auto& rhythm :
       {cron("* * * * * *"), cron("*/7 * * * * *"), cron("5,50 */3 * * * *"),
        Rhythm(EveryRule::aligned_to(kNow, seconds(17))), cron("* * * * * *", {"2026-01-01"})}) {
    for (const Duration back : {Duration(seconds(90)), Duration(1'234'567), Duration(hours(13))}) {
      std::int64_t expected = 0;
      for (Instant at = kNow - back; const auto found = rhythm.next(at);) {
        at = found->tick.instant();
        if (at > kNow) break;
        ++expected;
      }
      std::int64_t counted = 0;
      TickWalk walk(rhythm, kNow - back, kNow);
      while (const auto stride = walk.next_stride()) counted += stride->count;
      EXPECT_EQ(counted, expected);
    }
  }
}

TEST(MisfireTest, TicksThatMayHaveRunBeforeAreSkippedWhateverThePolicySays) {
  const Rhythm rhythm = cron("* * * * * *");
  for (const MisfirePolicy misfire :
       {MisfirePolicy::kFireOnce, MisfirePolicy::kFireAll, MisfirePolicy::kSkip}) {
    const JobPolicies policies{.overlap = OverlapPolicy::kAllow, .misfire = misfire};
    DueFacts facts = facts_of(rhythm, policies, seconds(7));
    facts.lost_through = kNow - seconds(3);
    const Fates fates = decide_due(facts);
    ASSERT_EQ(fates.skips.size(), 1U);
    EXPECT_EQ(fates.skips[0].reason, SkipReason::kCommitsLost);
    EXPECT_EQ(fates.skips[0].count, 4);
    EXPECT_EQ(fates.runs.size(), 3U);
    facts.status = JobStatus::kPaused;
    EXPECT_EQ(decide_due(facts).skips.at(0).reason, SkipReason::kPaused);
  }
}

}  // namespace
}  // namespace belfry::core
