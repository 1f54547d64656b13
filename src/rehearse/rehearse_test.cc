#include "base/text/instant_text.h"
#include "rehearse/comparison.h"
#include "rehearse/read_jobs.h"
#include "rehearse/stage.h"
#include "rehearse/summary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace belfry::rehearse {
namespace {

using namespace std::chrono_literals;
using core::MisfirePolicy;
using core::OverlapPolicy;
using core::SkipReason;

core::ZoneCatalog& zones() {
  static core::ZoneCatalog catalog;
  return catalog;
}

Instant at(const std::string& text) {
  return *parse_instant(text);
}

PlannedJob cron(const std::string& name, const std::string& expression, Duration takes = {}) {
  PlannedJob job{.takes = takes};
  job.definition.name = name;
  job.definition.schedule.cron_expression = expression;
  job.definition.policies.timeout = 24h;
  return job;
}

// From midnight, UTC, for so many hours.
Plan plan_of(std::vector<PlannedJob> jobs, int hours) {
  const Instant from = at("2026-01-05T00:00:00Z");  // a Monday
  return {.jobs = std::move(jobs), .from = from, .to = from + std::chrono::hours(hours)};
}

Outage outage(const std::string& from, const std::string& to) {
  return {at("2026-01-05T" + from + "Z"), at("2026-01-05T" + to + "Z")};
}

// "02:00", with the seconds if there are any; the date only where it is not the first day.
std::string clock_of(Instant instant) {
  const std::string text = format_instant(instant);
  std::string time = text.substr(11, 5);
  if (text.substr(17, 2) != "00") time = text.substr(11, 8);
  const std::string date = text.substr(0, 10);
  return date == "2026-01-05" ? time : date + " " + time;
}

std::string words_for(const Event& event) {
  std::string text = clock_of(event.at);
  const std::string tick = clock_of(event.tick.instant());
  switch (event.kind) {
    case Event::Kind::kFired:
      text += " fired";
      if (event.at != event.tick.instant()) text += " " + tick;
      if (event.ticks > 1) text += " for " + std::to_string(event.ticks);
      break;
    case Event::Kind::kSkipped:
      text += " " + std::string(core::name_of(event.reason)) + " " + tick;
      if (event.ticks > 1) {
        text += ".." + clock_of(event.last.instant()) + " (" + std::to_string(event.ticks) + ")";
      }
      break;
    case Event::Kind::kReplaced: text += " replaced " + tick; break;
    case Event::Kind::kTimedOut: text += " timed out " + tick; break;
    case Event::Kind::kDied: text += " died " + tick; break;
  }
  const bool by =
      event.other && (event.kind != Event::Kind::kFired || event.at != event.tick.instant());
  return by ? text + " by " + clock_of(event.other->instant()) : text;
}

using Lines = std::vector<std::string>;

Lines played(const Plan& plan) {
  Lines lines;
  const auto done =
      rehearse(plan, zones(), [&](const Event& event) { lines.push_back(words_for(event)); });
  EXPECT_TRUE(done) << to_string(done.error());
  return lines;
}

TEST(RehearseTest, TicksFromTheFirstInstantUpToTheLast) {
  EXPECT_EQ(played(plan_of({cron("hourly", "0 * * * *")}, 3)),
            (Lines{"00:00 fired", "01:00 fired", "02:00 fired"}));
}

TEST(RehearseTest, ALongRestIsNoOutage) {
  EXPECT_EQ(played(plan_of({cron("late", "0 23 * * *")}, 72)),
            (Lines{"23:00 fired", "2026-01-06 23:00 fired", "2026-01-07 23:00 fired"}));
}

// ---- Outages: 02:10, 02:20, 02:30 and 02:40 pass while nobody decides.

PlannedJob every_ten_minutes(MisfirePolicy policy) {
  PlannedJob job = cron("often", "*/10 2-3 * * *");
  job.definition.policies.misfire = policy;
  return job;
}

Plan with_outage(PlannedJob job, const std::string& until = "02:41:00") {
  Plan plan = plan_of({std::move(job)}, 3);
  plan.outages = {outage("02:05:00", until)};
  return plan;
}

TEST(RehearseTest, FireOnceRunsTheNewestForAllThatWereMissed) {
  EXPECT_EQ(played(with_outage(every_ten_minutes(MisfirePolicy::kFireOnce))),
            (Lines{"02:00 fired", "02:41 misfire_coalesced 02:10..02:30 (3)",
                   "02:41 fired 02:40 for 4", "02:50 fired"}));
}

TEST(RehearseTest, FireOnceGivesUpWhatIsOlderThanTheGrace) {
  PlannedJob job = every_ten_minutes(MisfirePolicy::kFireOnce);
  job.definition.policies.misfire_grace = 5min;  // 02:40 is 9 minutes old
  EXPECT_EQ(played(with_outage(job, "02:49:00")),
            (Lines{"02:00 fired", "02:49 misfire_expired 02:10..02:40 (4)", "02:50 fired"}));
}

TEST(RehearseTest, SkipRunsNothingThatWasMissed) {
  EXPECT_EQ(played(with_outage(every_ten_minutes(MisfirePolicy::kSkip))),
            (Lines{"02:00 fired", "02:41 misfire_skipped 02:10..02:40 (4)", "02:50 fired"}));
}

// As far apart as they were, beside the ticks of the present.
TEST(RehearseTest, FireAllRunsThemOneAfterTheOther) {
  Plan plan = with_outage(every_ten_minutes(MisfirePolicy::kFireAll));
  plan.to = at("2026-01-05T03:20:00Z");
  EXPECT_EQ(played(plan),
            (Lines{"02:00 fired", "02:41 fired 02:10", "02:50 fired", "02:51 fired 02:20",
                   "03:00 fired", "03:01 fired 02:30", "03:10 fired", "03:11 fired 02:40"}));
}

TEST(RehearseTest, FireAllHasALimit) {
  PlannedJob job = every_ten_minutes(MisfirePolicy::kFireAll);
  job.definition.policies.max_missed_firings = 2;
  EXPECT_EQ(played(with_outage(job)),
            (Lines{"02:00 fired", "02:41 misfire_limit 02:10..02:20 (2)", "02:41 fired 02:30",
                   "02:50 fired", "02:51 fired 02:40"}));
}

TEST(RehearseTest, AFewSecondsLateIsStillOnTime) {
  Plan plan = plan_of({cron("often", "*/10 2 * * *")}, 3);
  plan.outages = {outage("02:09:58", "02:10:05")};
  const Lines lines = played(plan);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[1], "02:10:05 fired 02:10");
}

TEST(RehearseTest, WorkGoesOnInAnOutageAndIsReportedAfterIt) {
  PlannedJob job = cron("slow", "0 * * * *", 30min);
  Plan plan = plan_of({job}, 3);
  plan.outages = {outage("00:10:00", "01:00:02")};  // the run ends at 00:30
  EXPECT_EQ(played(plan), (Lines{"00:00 fired", "01:00:02 fired 01:00", "02:00 fired"}));
}

TEST(RehearseTest, ARunThatLastsLongerThanTheOutageIsStillInTheWay) {
  PlannedJob job = cron("slow", "0 * * * *", 90min);
  Plan plan = plan_of({job}, 3);
  plan.outages = {outage("00:10:00", "01:00:02")};
  EXPECT_EQ(played(plan), (Lines{"00:00 fired", "01:00:02 overlap 01:00 by 00:00", "02:00 fired"}));
}

TEST(RehearseTest, AnOutageAtBothEndsOfThePlan) {
  PlannedJob job = cron("hourly", "0 * * * *");
  job.definition.policies.misfire = MisfirePolicy::kSkip;
  Plan plan = plan_of({job}, 4);
  plan.outages = {outage("00:00:00", "01:30:00"), outage("02:30:00", "05:00:00")};
  EXPECT_EQ(played(plan), (Lines{"01:30 misfire_skipped 00:00..01:00 (2)", "02:00 fired"}));
}

// Ten a second, because thirty ticks in two hours and a half are fewer than that.
TEST(RehearseTest, AHerdOfMissedRunsStandsInLine) {
  std::vector<PlannedJob> jobs;
  for (int i = 0; i < 30; ++i) jobs.push_back(cron("job-" + std::to_string(i), "0 2 * * *"));
  Plan plan = plan_of(jobs, 3);
  plan.outages = {outage("01:59:00", "02:30:00")};
  std::vector<Instant> begins;
  const auto done = rehearse(plan, zones(), [&](const Event& event) {
    EXPECT_EQ(event.kind, Event::Kind::kFired);
    begins.push_back(event.at);
  });
  ASSERT_TRUE(done);
  ASSERT_EQ(begins.size(), 30U);
  Instant turn = at("2026-01-05T02:30:00Z");
  for (const Instant begin : begins) {
    EXPECT_EQ(begin, turn);
    turn = turn + 100ms;
  }
}

// ---- Overlaps: a tick every 10 minutes, and each run takes 25.

PlannedJob slow(OverlapPolicy policy, std::int32_t most = 0) {
  PlannedJob job = cron("slow", "*/10 * * * *", 25min);
  job.definition.policies.overlap = policy;
  job.definition.policies.max_concurrent = most;
  return job;
}

TEST(RehearseTest, ForbidSkipsWhatComesWhileOneRuns) {
  EXPECT_EQ(played(plan_of({slow(OverlapPolicy::kForbid)}, 1)),
            (Lines{"00:00 fired", "00:10 overlap 00:10 by 00:00", "00:20 overlap 00:20 by 00:00",
                   "00:30 fired", "00:40 overlap 00:40 by 00:30", "00:50 overlap 00:50 by 00:30"}));
}

TEST(RehearseTest, ARunThatEndsWithTheNextTickIsNotInItsWay) {
  PlannedJob job = slow(OverlapPolicy::kForbid);
  job.takes = 10min;
  EXPECT_EQ(played(plan_of({job}, 1)).size(), 6U);
}

TEST(RehearseTest, QueueOneLetsOneWait) {
  Plan plan = plan_of({slow(OverlapPolicy::kQueueOne)}, 1);
  plan.to = at("2026-01-05T01:20:00Z");
  EXPECT_EQ(played(plan), (Lines{"00:00 fired", "00:20 overlap 00:20 by 00:00",
                                 "00:25 fired 00:10 by 00:00", "00:40 overlap 00:40 by 00:10",
                                 "00:50 fired 00:30 by 00:10", "01:00 overlap 01:00 by 00:30",
                                 "01:10 overlap 01:10 by 00:30", "01:15 fired 00:50 by 00:30"}));
}

TEST(RehearseTest, ReplaceEndsTheOldOne) {
  EXPECT_EQ(played(plan_of({slow(OverlapPolicy::kReplace)}, 1)),
            (Lines{"00:00 fired", "00:10 replaced 00:00 by 00:10", "00:10 fired",
                   "00:20 replaced 00:10 by 00:20", "00:20 fired", "00:30 replaced 00:20 by 00:30",
                   "00:30 fired", "00:40 replaced 00:30 by 00:40", "00:40 fired",
                   "00:50 replaced 00:40 by 00:50", "00:50 fired"}));
}

TEST(RehearseTest, AllowHasALimit) {
  EXPECT_EQ(played(plan_of({slow(OverlapPolicy::kAllow, 2)}, 1)),
            (Lines{"00:00 fired", "00:10 fired", "00:20 overlap 00:20 by 00:00", "00:30 fired",
                   "00:40 fired", "00:50 overlap 00:50 by 00:30"}));
  EXPECT_EQ(played(plan_of({slow(OverlapPolicy::kAllow)}, 1)).size(), 6U);
}

TEST(RehearseTest, AnAttemptThatTakesTooLongIsEndedAndTriedAgain) {
  PlannedJob job = cron("stuck", "0 0 * * *", 10min);
  job.definition.policies.timeout = 5min;
  job.definition.policies.max_attempts = 2;
  const Lines lines = played(plan_of({job}, 1));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "00:00 fired");
  EXPECT_EQ(lines[1], "00:05 timed out 00:00");
  EXPECT_NE(lines[2].find("timed out 00:00"), std::string::npos);  // after a wait drawn by chance
  EXPECT_NE(lines[3].find("died 00:00"), std::string::npos);
}

TEST(RehearseTest, ARunThatWaitsTooLongIsGivenUp) {
  PlannedJob job = cron("queue", "0 * * * *", 3h);
  job.definition.policies.overlap = OverlapPolicy::kQueueOne;
  job.definition.policies.start_within = 90min;
  EXPECT_EQ(played(plan_of({job}, 4)), (Lines{"00:00 fired", "02:00 overlap 02:00 by 00:00",
                                              "02:30 died 01:00 by 00:00", "03:00 fired"}));
}

// ---- Clocks and calendars

Plan in_berlin(PlannedJob job, const std::string& from, const std::string& to) {
  job.definition.schedule.timezone = "Europe/Berlin";
  return {.jobs = {std::move(job)}, .from = at(from), .to = at(to)};
}

TEST(RehearseTest, ATimeThatTheClocksJumpOver) {
  PlannedJob job = cron("report", "30 2 * * *");
  Plan plan = in_berlin(job, "2026-03-28T00:00:00Z", "2026-03-31T00:00:00Z");
  EXPECT_EQ(played(plan),
            (Lines{"2026-03-28 01:30 fired", "2026-03-29 01:00 fired", "2026-03-30 00:30 fired"}));
  plan.jobs[0].definition.schedule.dst_gap = core::DstGap::kSkip;
  EXPECT_EQ(played(plan)[1], "2026-03-29 01:00 dst_gap 2026-03-29 01:00");
}

TEST(RehearseTest, ATimeThatIsShownTwice) {
  PlannedJob job = cron("report", "30 2 * * *");
  Plan plan = in_berlin(job, "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z");
  EXPECT_EQ(played(plan), (Lines{"2026-10-25 00:30 fired"}));
  plan.jobs[0].definition.schedule.dst_overlap = core::DstOverlap::kBoth;
  EXPECT_EQ(played(plan), (Lines{"2026-10-25 00:30 fired", "2026-10-25 01:30 fired"}));
}

TEST(RehearseTest, ClockSurprisesNameEveryChangeOfTheTime) {
  Plan plan =
      in_berlin(cron("report", "30 2 * * *"), "2026-01-01T00:00:00Z", "2028-01-01T00:00:00Z");
  plan.jobs.push_back(plan.jobs[0]);
  plan.jobs.push_back(cron("elsewhere", "30 2 * * *"));  // UTC has no surprises
  const auto surprises = clock_surprises(plan, zones());
  ASSERT_EQ(surprises.size(), 4U);
  EXPECT_EQ(surprises[0].message,
            "On Sun 29 Mar 2026 02:30 does not exist in Europe/Berlin; it runs at 03:00 instead");
  EXPECT_EQ(surprises[0].jobs, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(surprises[3].code, "dst_overlap");
  EXPECT_EQ(surprises[3].at, at("2027-10-31T00:30:00Z"));
}

TEST(RehearseTest, CalendarsAndBounds) {
  PlannedJob job = cron("office", "0 9 * * *");
  job.definition.schedule.calendar_name = "weekend";
  job.definition.schedule.calendar_rules = "SAT,SUN";
  job.definition.schedule.start_at = at("2026-01-09T00:00:00Z");
  EXPECT_EQ(played(plan_of({job}, 24 * 8)),
            (Lines{"2026-01-09 09:00 fired", "2026-01-10 09:00 calendar 2026-01-10 09:00",
                   "2026-01-11 09:00 calendar 2026-01-11 09:00", "2026-01-12 09:00 fired"}));
}

// ---- What it amounts to

TEST(RehearseTest, SumsUp) {
  Plan plan = plan_of(
      {cron("a", "0,30 * * * *"), cron("b", "30 1 * * *"), slow(OverlapPolicy::kForbid)}, 2);
  const auto played = play(plan, zones());
  ASSERT_TRUE(played);
  const Summary& summary = played->summary;
  EXPECT_EQ(summary.all.fires, 4 + 1 + 4);
  EXPECT_EQ(summary.all.skips.at(SkipReason::kOverlap), 8);
  EXPECT_EQ(summary.jobs[0].fires, 4);
  EXPECT_EQ(summary.jobs[0].last_fire, at("2026-01-05T01:30:00Z"));
  ASSERT_EQ(summary.busiest.size(), Summariser::kBusiest);
  EXPECT_EQ(summary.busiest[0].at, at("2026-01-05T01:30:00Z"));
  EXPECT_EQ(summary.busiest[0].jobs, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(summary.busiest[1].at, at("2026-01-05T00:00:00Z"));
  ASSERT_EQ(summary.overlaps.size(), 1U);
  EXPECT_EQ(summary.overlaps[0].ticks, 8);
  EXPECT_EQ(summary.overlaps[0].first.other, Tick(at("2026-01-05T00:00:00Z")));
}

TEST(RehearseTest, ComparesTwoDefinitions) {
  const Plan before = plan_of(
      {cron("moved", "0 * * * *"), cron("same", "0 * * * *"), cron("gone", "0 1 * * *")}, 2);
  const Plan after =
      plan_of({cron("new", "0 0 * * *"), cron("moved", "30 * * * *"), cron("same", "@hourly")}, 2);
  const auto was = play(before, zones());
  const auto is = play(after, zones());
  ASSERT_TRUE(was && is);
  const auto changes = changes_between(before, *was, after, *is);
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(changes[0].name, "gone");
  EXPECT_EQ(changes[0].kind, JobChange::Kind::kGone);
  EXPECT_EQ(changes[1].name, "moved");
  EXPECT_EQ(changes[1].gained, 2U);
  EXPECT_EQ(changes[1].some_lost.front(), at("2026-01-05T00:00:00Z"));
  EXPECT_EQ(changes[2].kind, JobChange::Kind::kNew);
}

TEST(RehearseTest, ReadsJobsAsTheApiDoes) {
  const std::vector<Json> jobs{
      {{"job_name", "fine"}, {"every", "15m"}, {"calendar", "weekend"}},
      {{"job_name", "past"}, {"run_at", "2001-01-01T00:00:00Z"}},  // is only never seen to fire
      {{"job_name", "bad"}, {"cron_expression", "61 * * * *"}, {"timezone", "Berlin"}},
      {{"job_name", "free"}, {"every", "1h"}, {"calendar", "holidays"}, {"colour", "red"}}};
  const ReadJobs read = read_jobs(jobs, {{"weekend", {"SAT,SUN"}}}, zones());
  EXPECT_EQ(read.jobs.size(), 4U);
  EXPECT_EQ(read.jobs[0].schedule.calendar_rules, "SAT,SUN");
  ASSERT_EQ(read.bad.size(), 2U);
  EXPECT_EQ(read.bad[0].job, "bad");
  EXPECT_EQ(read.bad[0].complaints.size(), 2U);
  EXPECT_EQ(read.bad[1].job, "free");
  EXPECT_EQ(read.bad[1].complaints.size(), 2U);
}

}  // namespace
}  // namespace belfry::rehearse
