// The ticker on each store: what a schedule, its policies and passing time leave behind.
#include "engine/ticks/ticker.h"

#include "engine/dispatch/claims.h"
#include "tests/store/suite.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::MisfirePolicy;
using core::OverlapPolicy;
using core::SkipReason;

class TickerTest : public StoreTest {
 protected:
  TickerTest() {
    own_everything();
    for (const OwnedPartition& partition : must(store().renew(node(1), 24h)).mine) {
      ticker_.gain(partition);
    }
  }

  // Rounds until nothing is left to do at this moment.
  void tick() {
    do {
      must(ticker_.run_once(now()));
    } while (ticker_.next_wakeup() == Instant::min());
  }
  // What the ticker learns with each renewal.
  void tell_ticker() {
    for (const OwnedPartition& partition : must(store().renew(node(1), 24h)).mine) {
      ticker_.note(partition);
    }
  }
  JobRow add_every_second(const std::string& name, MisfirePolicy misfire, OverlapPolicy overlap) {
    JobStore::NewJob job = new_job(name, overlap);
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.misfire = misfire;
    return add(job);
  }

  engine::Ticker& ticker() { return ticker_; }

 private:
  core::ZoneCatalog zones_;
  Logger log_{clock(), [](std::string_view) {}, {.least = LogLevel::kError}};
  engine::Observer observer_;
  engine::LiveRuns live_{{store(), store()}, [this] { return now(); }, Rng(1)};
  engine::Claims claims_{store(), live_, observer_};
  engine::Ticker ticker_{{store(), zones_, log_, observer_, live_, claims_}, node(1).incarnation};
};

// Rows of missed ticks; those of the last ten seconds are on time and do not concern the
// misfire policy.
TEST_P(TickerTest, AMonthOfMissedSecondsIsAtMostOneRowMoreThanItsRuns) {
  constexpr std::int64_t kMonth = 30 * 24 * 3600;
  for (const OverlapPolicy overlap : {OverlapPolicy::kAllow, OverlapPolicy::kForbid}) {
    for (const MisfirePolicy misfire :
         {MisfirePolicy::kFireOnce, MisfirePolicy::kSkip, MisfirePolicy::kFireAll}) {
      const JobRow job = add_every_second(std::to_string((now() - kStart) / 1s), misfire, overlap);
      const Instant begin = now();
      pass(std::chrono::seconds(kMonth));
      tick();
      const Instant on_time = now() - core::kTickTolerance;
      std::int64_t ticks = 0;
      std::size_t missed_rows = 0;
      for (const RunRow& run : must(store().runs_of(job.id))) {
        ++ticks;
        if (run.scheduled_for < on_time) ++missed_rows;
      }
      const std::size_t runs = missed_rows;
      for (const SkipRow& skip : must(store().skips_of(job.id))) {
        ticks += skip.count;
        if (skip.first.instant() < on_time) ++missed_rows;
      }
      EXPECT_EQ(ticks, kMonth);
      EXPECT_EQ(missed_rows, runs + 1);
      // Where runs do not go side by side, the newest tick stands for all, and it is on time.
      const bool in_turn = overlap == OverlapPolicy::kForbid;
      EXPECT_EQ(runs, misfire == MisfirePolicy::kFireOnce ? (in_turn ? 0U : 1U)
                      : misfire == MisfirePolicy::kSkip   ? 0U
                                                          : (in_turn ? 990U : 1'000U));
      EXPECT_EQ(must(store().skips_of(job.id)).at(0).first, Tick(begin + 1s));
      must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
    }
  }
}

// A zone may go with an update of the time zone data. Only that job suffers, and it can be told of.
TEST_P(TickerTest, AScheduleThatCannotBeEvaluatedIsKnownUntilItIsMended) {
  JobStore::NewJob lost = new_job("lost", OverlapPolicy::kAllow);
  lost.definition.schedule.timezone = "Mars/Olympus";
  const JobRow job = add(lost);
  add_job("fine");
  tick();
  ASSERT_EQ(ticker().broken().size(), 1U);
  EXPECT_EQ(ticker().broken()[0].job, job.id);
  EXPECT_NE(ticker().broken()[0].reason.find("Mars/Olympus"), std::string::npos);
  EXPECT_TRUE(ticker().known().all());
  const std::uint64_t before = ticker().broken_changes();
  must(store().change_job({.job = job.id, .status = core::JobStatus::kDeleted}));
  tell_ticker();
  EXPECT_FALSE(ticker().known().all()) << "what changed has not been read yet";
  tick();
  EXPECT_TRUE(ticker().broken().empty());
  EXPECT_NE(ticker().broken_changes(), before);
  EXPECT_TRUE(ticker().known().all());
}

// Who comes only when something is due says so: otherwise a quiet hour looks like a stall.
TEST_P(TickerTest, AQuietHourThatItIsToldOfIsNoStall) {
  JobStore::NewJob hourly = new_job("hourly", OverlapPolicy::kForbid);
  hourly.definition.schedule.cron_expression = "0 * * * *";
  const JobRow job = add(hourly);
  tick();
  pass(*ticker().next_wakeup() - now());
  ticker().rest(now() - Duration(1));
  must(ticker().run_once(now()));
  EXPECT_TRUE(ticker().known().all()) << "something was loaded anew";
  ticker().rest(now() + 2h);  // not over a tick
  EXPECT_EQ(*ticker().next_wakeup(), now() + 1h);
  EXPECT_EQ(must(store().runs_of(job.id)).size(), 1U);
}

// The whole way: downtime, and what workers get in each minute after it.
TEST_P(TickerTest, AfterDowntimeAJobStartsTwiceAsOftenUntilItHasCaughtUp) {
  JobStore::NewJob minutely = new_job("a", OverlapPolicy::kForbid);
  minutely.definition.policies.misfire = MisfirePolicy::kFireAll;
  const JobRow job = add(minutely);
  tick();
  pass(10min + 30s);
  std::size_t handed_out = 0;
  for (int minute = 0; minute < 12; ++minute) {
    std::size_t in_minute = 0;
    for (int i = 0; i < 60; ++i, pass(1s)) {
      tick();
      for (const ClaimedRun& run : claim(9)) {
        ++in_minute;
        EXPECT_TRUE(end(success(grant_of(run))));
      }
    }
    EXPECT_EQ(in_minute, minute < 10 ? 2U : 1U) << minute;
    handed_out += in_minute;
  }
  EXPECT_EQ(handed_out, 22U);
  EXPECT_TRUE(must(store().skips_of(job.id)).empty());
}

// The limit holds for all jobs of a node together, by their priorities.
TEST_P(TickerTest, AfterDowntimeJobsStandInOneLine) {
  std::map<JobId, int> priorities;
  for (int i = 0; i < 60; ++i) {
    JobStore::NewJob job = new_job(std::to_string(i), OverlapPolicy::kForbid);
    job.definition.policies.priority = i % 2;
    priorities[add(job).id] = i % 2;
  }
  for (int i = 0; i < 70; ++i) tick();  // until all are loaded
  pass(3min + 30s);
  for (int i = 0; i < 70; ++i) tick();
  std::vector<std::pair<Instant, int>> starts;
  for (const auto& [job, priority] : priorities) {
    const auto runs = must(store().runs_of(job));
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].stands_for, 3);
    starts.emplace_back(must(store().find_run(runs[0].run)).due_at.value(), priority);
  }
  std::ranges::sort(starts);
  constexpr std::size_t kPerSecond = 10;
  for (std::size_t i = 1; i < starts.size(); ++i) {
    EXPECT_LE(starts[i - 1].second == 0, starts[i].second == 0) << "the higher priority goes first";
    if (i < kPerSecond) continue;
    EXPECT_GE(starts[i].first - starts[i - kPerSecond].first, 1s - 1ms);
  }
  EXPECT_LE(starts.back().first - now(), 7s);
}

// Ticks of the gap's last seconds are on time by their jobs' policies, but stand in the same line.
TEST_P(TickerTest, AfterDowntimeTheLastSecondsAreNoHerdEither) {
  constexpr int kJobs = 120;  // one a second
  std::vector<JobId> jobs;
  for (int i = 0; i < kJobs; ++i) {
    JobStore::NewJob job = new_job(std::to_string(i), OverlapPolicy::kAllow);
    job.definition.schedule = {.type = core::ScheduleSpec::Type::kEvery,
                               .every = std::chrono::seconds(kJobs),
                               .start_at = StoreTest::tick(200 + i).instant()};
    jobs.push_back(add(job).id);
    for (int copy = 0; copy < 4; ++copy) {  // so that more tick in a second than need no line
      job.definition.name += "+";
      jobs.push_back(add(job).id);
    }
  }
  for (int i = 0; i < 70; ++i) tick();  // until all are loaded
  pass(StoreTest::tick(290).instant() - now());
  for (int i = 0; i < 70; ++i) tick();
  std::vector<Instant> starts;
  for (const JobId job : jobs) {
    for (const RunRow& run : must(store().runs_of(job))) {
      starts.push_back(std::max(must(store().find_run(run.run)).due_at.value(), now()));
    }
  }
  std::ranges::sort(starts);
  ASSERT_GE(starts.size(), 400U);
  const auto at_once = std::ranges::count_if(starts, [&](Instant at) { return at < now() + 1s; });
  EXPECT_LE(at_once, 25);  // ten are prompt, and ten a second need no line
}

// The ticker was held up for a moment, not long enough for ticks to be missed.
TEST_P(TickerTest, OfSeveralTicksAtOnceTheNewestRunsForAll) {
  const JobRow job = add_every_second("a", MisfirePolicy::kFireOnce, OverlapPolicy::kForbid);
  const JobRow side_by_side =
      add_every_second("b", MisfirePolicy::kFireOnce, OverlapPolicy::kAllow);
  tick();
  pass(5s);
  tick();
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].run, ref(job.id, 5));
  EXPECT_EQ(runs[0].stands_for, 5);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].reason, SkipReason::kMisfireCoalesced);
  EXPECT_EQ(skips[0].count, 4);
  EXPECT_EQ(must(store().runs_of(side_by_side.id)).size(), 5U);
}

TEST_P(TickerTest, AShortGraceIsKeptWithinTheToleranceToo) {
  JobStore::NewJob strict = new_job("strict", OverlapPolicy::kForbid);
  strict.definition.policies.misfire = MisfirePolicy::kSkip;
  strict.definition.policies.misfire_grace = 1s;
  const JobRow job = add(strict);
  JobStore::NewJob once = strict;
  once.definition.name = "once";
  once.definition.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = now() + 60s};
  const JobRow one_instant = add(once);
  const JobRow usual = add_job("usual");
  tick();
  pass(58s);
  tick();
  pass(9s);
  tick();
  for (const JobId late : {job.id, one_instant.id}) {
    EXPECT_TRUE(must(store().runs_of(late)).empty());
    const auto skips = must(store().skips_of(late));
    ASSERT_EQ(skips.size(), 1U);
    EXPECT_EQ(skips[0].reason, SkipReason::kMisfireSkipped);
  }
  EXPECT_EQ(must(store().runs_of(usual.id)).size(), 1U);
}

class CompletionTest : public TickerTest {
 protected:
  JobRow add_once(const std::string& name, Duration delay) {
    JobStore::NewJob job = new_job(name, OverlapPolicy::kAllow);
    job.definition.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = now() + delay};
    return add(job);
  }
  // Lets time pass while the ticker runs.
  void run_for(Duration time) {
    for (const Instant end = now() + time; now() < end;) {
      pass(5s);
      tick();
    }
  }
  JobStatus status_of(const JobRow& job) { return must(store().find_job(job.id)).status; }
};

TEST_P(CompletionTest, AJobIsCompletedWithItsLastTick) {
  const JobRow once = add_once("once", 30s);
  JobStore::NewJob bounded = new_job("bounded", OverlapPolicy::kAllow);
  bounded.definition.schedule.end_at = now() + 100s;
  const JobRow minutely = add(bounded);
  JobStore::NewJob yearly = new_job("this year", OverlapPolicy::kAllow);
  yearly.definition.schedule.cron_expression = "0 2 8 15 1 * 2027";  // two minutes from the start
  const JobRow last_of_years = add(yearly);
  const JobRow endless = add_job("endless");
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kActive);
  run_for(30s);
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
  EXPECT_EQ(must(store().find_job(once.id)).revision, 1U);
  EXPECT_EQ(must(store().runs_of(once.id)).size(), 1U);
  run_for(60s);
  EXPECT_EQ(status_of(minutely), JobStatus::kActive);  // its bounds are not over
  run_for(30s);
  EXPECT_EQ(status_of(minutely), JobStatus::kCompleted);
  EXPECT_EQ(must(store().runs_of(minutely.id)).size(), 1U);
  EXPECT_EQ(status_of(last_of_years), JobStatus::kCompleted);
  EXPECT_EQ(must(store().runs_of(last_of_years.id)).size(), 1U);
  EXPECT_EQ(status_of(endless), JobStatus::kActive);
}

TEST_P(CompletionTest, WhoeverComesLaterCompletesWhatWasLeft) {
  const JobRow once = add_once("once", 30s);
  pass(1h);  // nobody was there
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
  EXPECT_EQ(must(store().runs_of(once.id)).size(), 1U);
}

TEST_P(CompletionTest, ACompletedJobCanBeTriggered) {
  const JobRow once = add_once("once", 30s);
  pass(30s);
  tick();
  must(store().trigger({.job = once.id, .key = core::RunKey(-1)}));
  EXPECT_EQ(must(store().runs_of(once.id)).size(), 2U);
}

TEST_P(CompletionTest, NewTicksMakeItActiveAgain) {
  const JobRow once = add_once("once", 30s);
  pass(30s);
  tick();
  core::JobDefinition later = once.definition;
  later.schedule.run_at = now() + 60s;
  const JobRow again = must(store().change_job({.job = once.id, .definition = later})).job;
  EXPECT_EQ(again.status, JobStatus::kActive);
  tell_ticker();
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kActive);
  pass(60s);
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
  EXPECT_EQ(must(store().runs_of(once.id)).size(), 2U);
  // One without a new tick is completed again.
  must(store().change_job({.job = once.id, .definition = later}));
  tell_ticker();
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
}

TEST_P(CompletionTest, WhatStandsStillByHandStays) {
  const JobRow once = add_once("once", 30s);
  must(store().change_job({.job = once.id, .status = JobStatus::kPaused}));
  pass(30s);
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kPaused);
  EXPECT_EQ(must(store().skips_of(once.id)).at(0).reason, SkipReason::kPaused);
  must(store().change_job({.job = once.id, .status = JobStatus::kActive}));
  tell_ticker();
  tick();
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
}

TEST_P(CompletionTest, ADeposedOrOutdatedOwnerCompletesNothing) {
  const JobRow once = add_once("once", 30s);
  const PartitionDecision guard = decision(once.id, now());
  EndedJobs asked{guard.partition, guard.epoch, guard.version, {once.id}};
  const auto outcome = [&](std::uint64_t owner = 1) {
    return must(store().complete_jobs(node(owner).incarnation, {&asked, 1})).at(0);
  };
  EXPECT_EQ(outcome(2), DecideOutcome::kDeposed);
  asked.epoch = Epoch(99);
  EXPECT_EQ(outcome(), DecideOutcome::kDeposed);
  asked.epoch = guard.epoch;
  asked.version = JobsVersion(guard.version.value() - 1);
  EXPECT_EQ(outcome(), DecideOutcome::kOutdated);
  EXPECT_EQ(status_of(once), JobStatus::kActive);
  asked.version = guard.version;
  EXPECT_EQ(outcome(), DecideOutcome::kDecided);
  EXPECT_EQ(outcome(), DecideOutcome::kDecided);
  EXPECT_EQ(status_of(once), JobStatus::kCompleted);
}

BELFRY_FOR_EACH_STORE(CompletionTest);
// A job of one instant, registered as the API does it.
class OneInstantTest : public TickerTest {
 protected:
  JobRow register_once(Instant run_at, MisfirePolicy misfire = MisfirePolicy::kFireOnce,
                       bool paused = false) {
    JobStore::NewJob job = new_job("once", OverlapPolicy::kAllow);
    job.definition.schedule.type = core::ScheduleSpec::Type::kOnce;
    job.definition.schedule.run_at = run_at;
    job.definition.policies.misfire = misfire;
    const Registration request{.jobs = {&job, 1}, .replace = true, .paused = paused};
    const JobRow made = must(store().register_jobs(request)).at(0).job;
    tell_ticker();
    tick();
    return made;
  }
  std::vector<Instant> fires(JobId job) {
    std::vector<Instant> instants;
    for (const RunRow& run : must(store().runs_of(job))) instants.push_back(run.scheduled_for);
    return instants;
  }
};

TEST_P(OneInstantTest, AnInstantThatPassesWhileItIsRegisteredFiresOnce) {
  pass(1h);
  tick();
  for (const Duration late : {Duration(0), Duration(1), Duration(5ms), Duration(3s)}) {
    const Instant run_at = now() - late;
    const JobRow job = register_once(run_at);
    EXPECT_EQ(fires(job.id), std::vector{run_at}) << late.count();
    EXPECT_EQ(must(store().find_job(job.id)).status, JobStatus::kCompleted);
    register_once(run_at);  // the same again is no change
    pass(1h);
    tick();
    EXPECT_EQ(fires(job.id), std::vector{run_at});
    must(store().change_job({.job = job.id, .status = JobStatus::kDeleted}));
  }
}

TEST_P(OneInstantTest, AnInstantAheadIsTheTickersToDecide) {
  const Instant run_at = now() + 1s;
  const JobRow job = register_once(run_at);
  EXPECT_TRUE(fires(job.id).empty());
  pass(1s);
  tick();
  EXPECT_EQ(fires(job.id), std::vector{run_at});
}

TEST_P(OneInstantTest, AnInstantLongPastIsAMisfire) {
  const JobRow skipped = register_once(now() - 1min, MisfirePolicy::kSkip);
  EXPECT_TRUE(fires(skipped.id).empty());
  const auto skips = must(store().skips_of(skipped.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].reason, SkipReason::kMisfireSkipped);
}

TEST_P(OneInstantTest, APausedOneIsSkipped) {
  const JobRow job = register_once(now() - 5ms, MisfirePolicy::kFireOnce, true);
  EXPECT_TRUE(fires(job.id).empty());
  EXPECT_EQ(must(store().skips_of(job.id)).at(0).reason, SkipReason::kPaused);
}

TEST_P(OneInstantTest, ANewInstantFiresAndAnEditOfTheRestDoesNot) {
  const Instant first = now() - 5ms;
  const JobRow job = register_once(first);
  pass(1min);
  const Instant second = now() - 5ms;
  register_once(second);
  EXPECT_EQ(fires(job.id), (std::vector{first, second}));
  // By change_job as well.
  core::JobDefinition definition = must(store().find_job(job.id)).definition;
  pass(1min);
  definition.schedule.run_at = now() - 5ms;
  must(store().change_job({.job = job.id, .definition = definition}));
  EXPECT_EQ(fires(job.id).size(), 3U);
  // The instant is unchanged: it has had its fate.
  definition.policies.misfire = MisfirePolicy::kFireAll;
  must(store().change_job({.job = job.id, .definition = definition}));
  must(store().change_job({.job = job.id, .status = JobStatus::kPaused}));
  must(store().change_job({.job = job.id, .status = JobStatus::kActive}));
  tell_ticker();
  tick();
  EXPECT_EQ(fires(job.id).size(), 3U);
}

// Fates of other ticks lie on both sides of it: a range across them would give those a second one.
TEST_P(OneInstantTest, ASkipOfThePastIsARowOfItsOwn) {
  const JobStore::NewJob every_minute = new_job("once", OverlapPolicy::kAllow);
  const Registration begins{.jobs = {&every_minute, 1}, .replace = true, .paused = true};
  const JobRow job = must(store().register_jobs(begins)).at(0).job;
  const auto minutes_pass = [&] {
    tell_ticker();
    for (int i = 0; i < 3; ++i) {
      pass(1min);
      tick();
    }
  };
  minutes_pass();
  const auto before = must(store().skips_of(job.id));
  ASSERT_EQ(before.size(), 1U);
  EXPECT_EQ(before[0].count, 3);
  const Instant between = now() - 90s;
  register_once(between);
  must(store().register_jobs(begins));
  minutes_pass();

  std::vector<std::pair<Instant, std::int64_t>> rows;
  for (const SkipRow& skip : must(store().skips_of(job.id))) {
    EXPECT_LE(skip.first, skip.last);
    EXPECT_EQ(skip.reason, SkipReason::kPaused);
    rows.emplace_back(skip.first.instant(), skip.count);
  }
  std::ranges::sort(rows);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], std::pair(before[0].first.instant(), before[0].count));
  EXPECT_EQ(rows[1], std::pair(between, std::int64_t{1}));
  EXPECT_EQ(rows[2].second, 3);
}

BELFRY_FOR_EACH_STORE(TickerTest);
BELFRY_FOR_EACH_STORE(OneInstantTest);

}  // namespace
}  // namespace belfry::store
