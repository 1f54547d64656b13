// Ticks that their calendar delays, on each store: from the job's field to whoever gets the run.
#include "engine/dispatch/claims.h"
#include "engine/ticks/ticker.h"
#include "tests/store/suite.h"

#include <algorithm>
#include <vector>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::CalendarPolicy;
using core::OverlapPolicy;
using core::RunState;
using core::SkipReason;

// Ticks every ten minutes from 08:00 on; the calendar is closed from 08:15 to 08:45.
class DelayTest : public StoreTest {
 protected:
  DelayTest() {
    own_everything();
    close("08:15..08:45");
    for (const OwnedPartition& partition : must(store().renew(node(1), 24h)).mine) {
      ticker_.gain(partition);
    }
  }

  void close(const std::string& rule) {
    must(store().put_calendar(TenantId(1), "freeze", std::vector{rule}, kAlice));
  }
  static JobStore::NewJob delaying(const std::string& name,
                                   OverlapPolicy overlap = OverlapPolicy::kForbid) {
    JobStore::NewJob job = new_job(name, overlap);
    job.definition.schedule.cron_expression = "*/10 * * * *";
    job.definition.schedule.calendar_name = "freeze";
    job.definition.schedule.calendar_policy = CalendarPolicy::kDelay;
    return job;
  }
  void tick() {
    do {
      must(ticker_.run_once(now()));
    } while (ticker_.next_wakeup() == Instant::min());
  }
  void tell_ticker() {
    for (const OwnedPartition& partition : must(store().renew(node(1), 24h)).mine) {
      ticker_.note(partition);
    }
  }
  // Lets time pass until this many minutes after 08:00, with whoever decides at work.
  void live_until(int minutes) {
    while (now() < kStart + minutes * 1min) {
      pass(10s);
      tick();
    }
  }
  std::optional<RunRow> run_at(JobId job, int minutes) {
    const auto run = store().find_run(ref(job, minutes * 60));
    return run ? std::optional(*run) : std::nullopt;
  }

 private:
  core::ZoneCatalog zones_;
  Logger log_{clock(), [](std::string_view) {}, {.least = LogLevel::kError}};
  engine::Observer observer_;
  engine::LiveRuns live_{{store(), store()}, [this] { return now(); }, Rng(1)};
  engine::Claims claims_{store(), live_, observer_};
  engine::Ticker ticker_{{store(), zones_, log_, observer_, live_, claims_}, node(1).incarnation};
};

TEST_P(DelayTest, ThePolicyIsPartOfTheJobAndOfItsRevisions) {
  const JobRow job = add(delaying("a"));
  EXPECT_EQ(job.definition.schedule.calendar_policy, CalendarPolicy::kDelay);
  EXPECT_EQ(must(store().find_job(job.id)).definition.schedule.calendar_policy,
            CalendarPolicy::kDelay);
  const auto loaded = must(store().load_partition(partition_of(job.id)));
  ASSERT_EQ(loaded.jobs.size(), 1U);
  EXPECT_EQ(loaded.jobs[0].definition.schedule.calendar_policy, CalendarPolicy::kDelay);
  core::JobDefinition changed = job.definition;
  changed.schedule.calendar_policy = CalendarPolicy::kSkip;
  pass(1s);
  must(store().change_job({.job = job.id, .definition = changed}));
  const auto revisions = must(store().revisions_of(job.id, {}, 9));
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions[0].schedule.calendar_policy, CalendarPolicy::kSkip);
  EXPECT_EQ(revisions[1].schedule.calendar_policy, CalendarPolicy::kDelay);
  EXPECT_GT(must(store().find_job(job.id)).effective_from, job.effective_from)
      << "it decides ticks";
}

TEST_P(DelayTest, ManyJobsKeepItToo) {
  std::vector<JobStore::NewJob> jobs;
  for (int i = 0; i < 400; ++i) jobs.push_back(delaying("job " + std::to_string(i)));
  for (const JobRow& job : must(store().create_jobs(jobs))) {
    EXPECT_EQ(must(store().revisions_of(job.id, {}, 1)).at(0).schedule.calendar_policy,
              CalendarPolicy::kDelay);
  }
  const auto page = must(store().list_jobs({.tenant = TenantId(1)}, "", 400));
  EXPECT_TRUE(std::ranges::all_of(page.jobs, [](const JobRow& job) {
    return job.definition.schedule.calendar_policy == CalendarPolicy::kDelay;
  }));
}

TEST_P(DelayTest, TheNewestTickIsHandedOutWhenTheCalendarOpensAndNotBefore) {
  for (const OverlapPolicy overlap : {OverlapPolicy::kForbid, OverlapPolicy::kAllow}) {
    add(delaying("policy " + std::to_string(static_cast<int>(overlap)), overlap));
  }
  tick();
  live_until(12);
  for (const ClaimedRun& run : claim(9)) EXPECT_TRUE(end(success(grant_of(run))));
  live_until(44);
  for (const QueueLoad& load : must(store().queue_loads())) {
    EXPECT_EQ(load.in_line, 0) << "nothing was missed";
    EXPECT_EQ(load.waiting, 0);
  }
  pass(60s - 1us);
  EXPECT_TRUE(claim(9).empty());
  pass(1us);
  const auto claimed = claim(9);
  ASSERT_EQ(claimed.size(), 2U);
  for (const ClaimedRun& run : claimed) {
    EXPECT_EQ(run.scheduled_for, kStart + 40min);
    EXPECT_EQ(run.due, kStart + 45min) << "what its lag counts from";
    const auto skips = must(store().skips_of(run.run.job));
    ASSERT_EQ(skips.size(), 1U);
    EXPECT_EQ(skips[0].first, Tick(kStart + 20min));
    EXPECT_EQ(skips[0].count, 2);
    EXPECT_EQ(skips[0].reason, SkipReason::kCalendarCoalesced);
    EXPECT_TRUE(end(success(grant_of(run))));
  }
  live_until(50);
  EXPECT_EQ(claim(9).size(), 2U) << "the ticks after it are their own";
}

TEST_P(DelayTest, ItHasItsTimeToStartFromTheOpeningOn) {
  JobStore::NewJob brief = delaying("a");
  brief.definition.policies.start_within = 2min;
  const JobRow job = add(brief);
  tick();
  live_until(44);
  const auto live = must(store().find_live(std::vector{ref(job.id, 40 * 60)}));
  ASSERT_EQ(live.size(), 1U);
  EXPECT_EQ(live[0].due, kStart + 45min);
  EXPECT_EQ(live[0].start_by, kStart + 47min);
}

TEST_P(DelayTest, WhatWasDecidedHoldsAndLaterTicksGoByTheNewRules) {
  const JobRow job = add(delaying("a", OverlapPolicy::kAllow));
  tick();
  live_until(42);
  close("08:15..09:15");
  // What the follower of calendars does, job by job.
  must(store().change_job({.job = job.id, .definition = job.definition}));
  tell_ticker();
  live_until(46);
  ASSERT_EQ(claim(9).size(), 2U) << "that of 08:10 and that of 08:40";
  live_until(74);
  EXPECT_EQ(run_at(job.id, 50), std::nullopt);
  EXPECT_EQ(run_at(job.id, 60), std::nullopt);
  ASSERT_TRUE(run_at(job.id, 70));
  EXPECT_EQ(run_at(job.id, 70)->due_at, kStart + 75min);
}

TEST_P(DelayTest, PausingTheJobEndsTheRunThatWaits) {
  const JobRow job = add(delaying("a"));
  tick();
  live_until(42);
  must(store().change_job({.job = job.id, .status = core::JobStatus::kPaused}));
  EXPECT_EQ(run_at(job.id, 40)->state, RunState::kCancelled);
}

TEST_P(DelayTest, ATickWhoseWindowLastsWasNotMissed) {
  JobStore::NewJob strict = delaying("a");
  strict.definition.policies.misfire = core::MisfirePolicy::kSkip;
  const JobRow job = add(strict);
  tick();
  live_until(12);
  pass(30min);  // nobody decides: 08:20, 08:30 and 08:40
  tick();
  ASSERT_TRUE(run_at(job.id, 40));
  EXPECT_EQ(run_at(job.id, 40)->due_at, kStart + 45min);
  for (const SkipRow& skip : must(store().skips_of(job.id))) {
    EXPECT_EQ(skip.reason, SkipReason::kCalendarCoalesced);
  }
}

BELFRY_FOR_EACH_STORE(DelayTest);

}  // namespace
}  // namespace belfry::store
