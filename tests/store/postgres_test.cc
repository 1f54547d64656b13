#include "tests/store/postgres_fixture.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

// The riskiest parts of the PostgreSQL store, on a real server: guards, races, fairness.
namespace belfry::store {
namespace {

using core::OverlapPolicy;
using core::RunState;
using core::SkipReason;

class PostgresDecideTest : public PostgresTest {};
class PostgresClaimTest : public PostgresTest {};
class PostgresRaceTest : public PostgresTest {};

TEST_F(PostgresDecideTest, WritesOnceUnderItsOwnEpochVersionAndCursor) {
  const JobRow job = add_job("a");
  own_everything();
  PartitionDecision made = decision(job.id, tick(60).instant());
  made.decisions.runs = {{job.id, tick(30)}, {job.id, tick(60), 4}};

  PartitionDecision deposed = made;
  deposed.epoch = Epoch(made.epoch.value() + 1);
  EXPECT_EQ(outcome_of(deposed), DecideOutcome::kDeposed);
  EXPECT_EQ(outcome_of(made, 2), DecideOutcome::kDeposed);
  PartitionDecision outdated = made;
  outdated.version = JobsVersion(made.version.value() + 1);
  EXPECT_EQ(outcome_of(outdated), DecideOutcome::kOutdated);
  PartitionDecision gap = made;
  gap.from = made.from + seconds(1);
  EXPECT_EQ(outcome_of(gap), DecideOutcome::kOutdated);
  EXPECT_TRUE(must(store().runs_of(job.id)).empty());

  const DecideResult first = decide(made);
  EXPECT_EQ(first.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(first.partitions.at(0).decided_through, made.to);
  EXPECT_EQ(first.runs.size(), 2U);
  EXPECT_EQ(first.decided_at, made.to);
  const DecideResult again = decide(made);
  EXPECT_EQ(again.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(again.runs.size(), 0U);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].run.key, core::run_key_of(tick(60)));
  EXPECT_EQ(runs[1].stands_for, 4);
  EXPECT_EQ(runs[1].node, node(1).incarnation);
  EXPECT_EQ(runs[1].epoch, made.epoch);
}

TEST_F(PostgresDecideTest, WritesForThePartitionsThatPassOnly) {
  const JobRow one = add_job("a");
  JobRow two = add_job("b");
  for (int i = 0; partition_of(two.id) == partition_of(one.id); ++i) {
    two = add_job("c" + std::to_string(i));
  }
  own_everything();
  std::vector<PartitionDecision> made{decision(two.id, tick(9).instant()),
                                      decision(one.id, tick(9).instant())};
  made[0].decisions.runs = {{two.id, tick(9)}};
  made[1].decisions.runs = {{one.id, tick(9)}};
  made[1].version = JobsVersion(99);
  const auto result = must(store().decide(node(1).incarnation, made));
  EXPECT_EQ(result.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_EQ(result.partitions.at(1).outcome, DecideOutcome::kOutdated);
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(must(store().runs_of(two.id)).size(), 1U);
  EXPECT_TRUE(must(store().runs_of(one.id)).empty());
}

TEST_F(PostgresDecideTest, WhatLiesAMomentAheadIsCommittedWhenItsTimeHasCome) {
  PostgresOptions by_its_own_clock = options();
  by_its_own_clock.now_override = nullptr;
  const auto real = open(by_its_own_clock);
  EXPECT_EQ(store().patience(), Duration(0)) << "with a clock that it cannot wait for";
  must(real->renew(node(1), hours(24)));
  const OwnedPartition mine = must(real->acquire(node(1), 1)).at(0);
  PartitionDecision made{.partition = mine.partition,
                         .epoch = mine.epoch,
                         .version = mine.version,
                         .from = mine.decided_through};
  made.to = must(real->clock()) + hours(1);
  const auto early = must(real->decide(node(1).incarnation, {&made, 1}));
  EXPECT_EQ(early.partitions.at(0).outcome, DecideOutcome::kEarly);
  made.to = must(real->clock()) + real->patience() / 2;
  const auto result = must(real->decide(node(1).incarnation, {&made, 1}));
  EXPECT_EQ(result.partitions.at(0).outcome, DecideOutcome::kDecided);
  EXPECT_GE(result.decided_at, made.to);
  EXPECT_GE(must(real->clock()), made.to);
  EXPECT_TRUE(result.spare);
}

TEST_F(PostgresDecideTest, LiveRunsTurnTicksIntoOneGrowingSkip) {
  const JobRow job = add_job("a", OverlapPolicy::kForbid);
  own_everything();
  const DecideResult result = decide_runs(job.id, {10, 20, 30});
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.overlaps, 2U);
  EXPECT_EQ(decide_runs(job.id, {40}).overlaps, 1U);
  auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].first, tick(20));
  EXPECT_EQ(skips[0].last, tick(40));
  EXPECT_EQ(skips[0].count, 3);
  EXPECT_EQ(skips[0].reason, SkipReason::kOverlap);

  const AttemptEnd end = success(grant_of(claim(1).at(0)));
  EXPECT_TRUE(must(store().end_attempts({&end, 1})).at(0));
  EXPECT_EQ(decide_runs(job.id, {50}).runs.size(), 1U);
  EXPECT_EQ(decide_runs(job.id, {60}).overlaps, 1U);
  skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 2U);  // the run in between closed the first
  EXPECT_EQ(skips[1].first, tick(60));
}

TEST_F(PostgresDecideTest, SkipsOfOneCallFormIslands) {
  const JobRow job = add_job("a");
  own_everything();
  PartitionDecision made = decision(job.id, tick(5).instant());
  made.decisions.skips = {{job.id, tick(1), tick(5), 5, SkipReason::kPaused}};
  decide(made);
  made = decision(job.id, tick(100).instant());
  made.decisions.runs = {{job.id, tick(40)}};
  made.decisions.skips = {{job.id, tick(10), tick(12), 3, SkipReason::kPaused},
                          {job.id, tick(13), tick(13), 1, SkipReason::kPaused},
                          {job.id, tick(20), tick(20), 1, SkipReason::kCalendar},
                          {job.id, tick(50), tick(50), 1, SkipReason::kCalendar},
                          {job.id, tick(60), tick(70), 2, SkipReason::kCalendar}};
  decide(made);
  made = decision(job.id, tick(110).instant());
  made.decisions.skips = {{job.id, tick(110), tick(110), 1, SkipReason::kCalendar}};
  decide(made);
  const auto skips = must(store().skips_of(job.id));
  ASSERT_EQ(skips.size(), 3U);
  EXPECT_EQ(skips[0].last, tick(13));
  EXPECT_EQ(skips[0].count, 9);
  EXPECT_EQ(skips[1].first, tick(20));
  EXPECT_EQ(skips[1].count, 1);
  EXPECT_EQ(skips[2].first, tick(50));
  EXPECT_EQ(skips[2].last, tick(110));
  EXPECT_EQ(skips[2].count, 4);
  EXPECT_EQ(sql("select count(*) from skips where open"), 1);
}

TEST_F(PostgresDecideTest, ReplacingEndsWhatWaitsAndTellsWhatRuns) {
  const JobRow job = add_job("a", OverlapPolicy::kReplace);
  own_everything();
  decide_runs(job.id, {10});
  const RunGrant running = grant_of(claim(1).at(0));
  decide_runs(job.id, {20});
  const DecideResult result = decide_runs(job.id, {30, 40});
  EXPECT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.overlaps, 1U);
  EXPECT_EQ(must(store().heartbeat({&running, 1}, minutes(1))).at(0), HeartbeatAnswer::kCancel);
  const auto runs = must(store().runs_of(job.id));
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[1].state, RunState::kCancelled);
  EXPECT_EQ(runs[1].error, "replaced by a newer run");
  EXPECT_EQ(runs[2].run.key, core::run_key_of(tick(40)));
  EXPECT_EQ(must(store().skips_of(job.id)).at(0).reason, SkipReason::kOverlapReplaced);
  EXPECT_TRUE(claim(5).empty());  // the new run waits until the old one has ended
}

TEST_F(PostgresClaimTest, SharesFollowWeightsAndTheRestIsFilled) {
  const TenantId heavy = must(store().put_tenant({.name = "heavy", .weight = 3}));
  const TenantId light = must(store().put_tenant({.name = "light"}));
  const JobRow a = add_job("a", OverlapPolicy::kAllow, heavy);
  const JobRow b = add_job("b", OverlapPolicy::kAllow, light);
  own_everything();
  std::vector<int> ticks;
  for (int i = 1; i <= 30; ++i) ticks.push_back(i);
  decide_runs(a.id, ticks);
  decide_runs(b.id, ticks);
  std::map<TenantId, int> got;
  for (const ClaimedRun& run : claim(8)) ++got[run.tenant];
  EXPECT_EQ(got[heavy], 6);
  EXPECT_EQ(got[light], 2);
  for (const ClaimedRun& run : claim(60)) ++got[run.tenant];
  EXPECT_EQ(got[heavy], 30);
  EXPECT_EQ(got[light], 30);
}

TEST_F(PostgresClaimTest, FencesGrowAndTheOldGrantIsRefused) {
  const JobRow job = add_job("a");
  own_everything();
  decide_runs(job.id, {1});
  const ClaimedRun first = claim(1).at(0);
  EXPECT_EQ(first.target, job.definition.target);
  EXPECT_GT(first.fence.value(), std::uint64_t{1} << 40);  // the timeline is its upper part
  const RunGrant old = grant_of(first);
  const AttemptEnd lost{.grant = old,
                        .outcome = core::AttemptOutcome::kLeaseLost,
                        .next = RunState::kRetrying,
                        .wait = Duration(0),
                        .only_if_expired = true};
  EXPECT_FALSE(must(store().end_attempts({&lost, 1})).at(0));
  clock_.advance(seconds(31));
  ASSERT_EQ(must(test::find_expired(store(), 10)).size(), 1U);
  EXPECT_TRUE(must(store().end_attempts({&lost, 1})).at(0));
  const ClaimedRun second = claim(1).at(0);
  EXPECT_GT(second.fence, first.fence);
  EXPECT_EQ(second.attempt, AttemptNo(2));
  EXPECT_EQ(must(store().heartbeat({&old, 1}, minutes(1))).at(0), HeartbeatAnswer::kFenced);
  const std::vector<AttemptEnd> ends{success(old), success(grant_of(second)),
                                     success(grant_of(second))};
  EXPECT_EQ(must(store().end_attempts(ends)), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(must(store().attempts_of(first.run)).size(), 2U);
}

TEST_F(PostgresRaceTest, HintsReachOtherProcesses) {
  const auto other = open();
  must(other->await_hints(Duration(0)));  // listens from here on
  const JobRow job =
      must(store().create_jobs(std::vector{new_job("a", core::OverlapPolicy::kAllow)})).at(0);
  const Hints told{.changed = {partition_of(job.id)}, .events = true};
  EXPECT_EQ(must(store().await_hints(Duration(0))), told);  // and passes it on
  EXPECT_EQ(must(other->await_hints(seconds(60))), told);
  EXPECT_TRUE(must(store().await_hints(Duration(0))).empty());  // no echo
  // A store that was cut off hears nothing until it listens again, and then goes on.
  cut_connections();
  for (Store* cut : {&store(), other.get()}) {
    while (cut->await_hints(seconds(60))) {  // until it notices
    }
    must(cut->await_hints(Duration(0)));
  }
  must(store().create_jobs(std::vector{new_job("b", core::OverlapPolicy::kAllow)}));
  must(store().await_hints(Duration(0)));
  must(store().await_hints(milliseconds(50)));  // by now, however fast the first one was
  EXPECT_EQ(must(other->await_hints(seconds(60))).changed.size(), 1U);
}

// Others are told of changes in a row together, a moment later, and of each.
TEST_F(PostgresRaceTest, NoChangeIsLostAmongMany) {
  const auto other = open();
  must(other->await_hints(Duration(0)));
  std::set<PartitionNo> changed;
  for (int i = 0; i < 20; ++i) {
    const NewJob job = new_job("j" + std::to_string(i), core::OverlapPolicy::kAllow);
    changed.insert(partition_of(must(store().create_jobs({&job, 1})).at(0).id));
    must(store().await_hints(Duration(0)));
  }
  must(store().await_hints(milliseconds(50)));
  std::set<PartitionNo> told;
  for (int i = 0; i < 20 && told != changed; ++i) {
    const Hints hints = must(other->await_hints(seconds(1)));
    told.insert(hints.changed.begin(), hints.changed.end());
  }
  EXPECT_EQ(told, changed);
}

TEST_F(PostgresRaceTest, TwoNodesAcquireEachPartitionOnce) {
  const auto other = open();
  must(store().renew(node(1), hours(1)));
  must(other->renew(node(2), hours(1)));
  std::set<PartitionNo> taken;
  const auto acquire_all = [](Store& from, const Node& who, std::vector<OwnedPartition>& into) {
    for (int i = 0; i < 40; ++i) {
      for (const OwnedPartition& one : must(from.acquire(who, 7))) into.push_back(one);
    }
  };
  std::vector<OwnedPartition> mine;
  std::vector<OwnedPartition> theirs;
  std::thread rival([&] { acquire_all(*other, node(2), theirs); });
  acquire_all(store(), node(1), mine);
  rival.join();
  for (const OwnedPartition& one : mine) EXPECT_TRUE(taken.insert(one.partition).second);
  for (const OwnedPartition& one : theirs) EXPECT_TRUE(taken.insert(one.partition).second);
  EXPECT_EQ(taken.size(), 256U);
  EXPECT_EQ(sql("select max(epoch) from partitions"), 1);
}

// Each tick gets exactly one fate, however changes and decisions of the partition interleave.
TEST_F(PostgresRaceTest, ChangesAndDecisionsAreInOneOrder) {
  // Every second is a tick. Those due before a change are settled by it: as a skip where they are
  // late, as runs where they are not.
  JobStore::NewJob wanted = new_job("a", core::OverlapPolicy::kAllow);
  wanted.definition.schedule.cron_expression = "* * * * * *";
  wanted.definition.policies.misfire = core::MisfirePolicy::kSkip;
  const JobRow job = must(store().create_jobs({&wanted, 1})).at(0);
  own_everything();
  clock_.advance(hours(1));
  std::atomic<bool> done = false;
  std::int64_t settled = 0;
  std::atomic<int> outdated = 0;
  std::thread changer([&, other = open()] {
    // On a busy machine they may take turns for a while: until they have met.
    for (int i = 0; i < 100 || (outdated == 0 && i < 10'000); ++i) {
      const core::Fates fates = must(other->change_job({.job = job.id})).settled.fates;
      settled += static_cast<std::int64_t>(fates.runs.size());
      for (const core::SkippedTicks& skip : fates.skips) settled += skip.count;
    }
    done = true;
  });
  int decided = 0;
  for (bool last = false; !last;) {
    last = done;
    clock_.advance(seconds(12));  // more than is still on time
    PartitionDecision made = decision(job.id, clock_.wall_now());
    const Instant from = std::max(made.from, must(store().find_job(job.id)).effective_from);
    for (Instant t = from + seconds(1); t <= made.to; t = t + seconds(1)) {
      made.decisions.runs.push_back({job.id, Tick(t)});
    }
    const DecideResult result = decide(made);
    decided += static_cast<int>(result.runs.size());
    outdated += result.partitions.at(0).outcome == DecideOutcome::kOutdated ? 1 : 0;
  }
  changer.join();
  EXPECT_GT(outdated, 0);
  EXPECT_GT(settled, 0);
  const std::int64_t elapsed = (clock_.wall_now() - kStart) / seconds(1);
  EXPECT_EQ(decided + settled, elapsed);
  EXPECT_EQ(sql("select count(*) from runs r join skips s using (partition, job_id) "
                "where r.scheduled_for between s.first_tick and s.last_tick"),
            0);
  EXPECT_EQ(sql("select (select count(*) from runs) + "
                "(select coalesce(sum(count), 0)::bigint from skips)"),
            elapsed);
}

TEST_F(PostgresRaceTest, AWorkerAndTheReaperEndAnAttemptOnce) {
  const JobRow job = add_job("a");
  own_everything();
  std::vector<int> ticks;
  for (int i = 1; i <= 100; ++i) ticks.push_back(i);
  decide_runs(job.id, ticks);
  const std::vector<ClaimedRun> runs = claim(100);
  clock_.advance(hours(1));
  std::vector<AttemptEnd> done;
  std::vector<AttemptEnd> reaped;
  for (const ClaimedRun& run : runs) {
    done.push_back(success(grant_of(run)));
    reaped.push_back({.grant = grant_of(run),
                      .outcome = core::AttemptOutcome::kLeaseLost,
                      .next = RunState::kRetrying,
                      .wait = seconds(1),
                      .only_if_expired = true});
  }
  std::ranges::reverse(reaped);
  std::vector<bool> by_reaper;
  std::thread reaper([&, other = open()] {
    for (std::size_t i = 0; i < reaped.size(); i += 10) {
      const auto part = must(other->end_attempts({&reaped[i], 10}));
      by_reaper.insert(by_reaper.end(), part.begin(), part.end());
    }
  });
  std::vector<bool> by_worker;
  for (std::size_t i = 0; i < done.size(); i += 10) {
    const auto part = must(store().end_attempts({&done[i], 10}));
    by_worker.insert(by_worker.end(), part.begin(), part.end());
  }
  reaper.join();
  std::reverse(by_reaper.begin(), by_reaper.end());
  for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_NE(by_worker[i], by_reaper[i]) << i;
  EXPECT_EQ(sql("select (select count(*) from attempts) + (select count(*) from history)"), 100);
  EXPECT_EQ(sql("select (select count(*) from runs) + (select count(*) from history)"), 100);
}

TEST_F(PostgresRaceTest, ClaimsKeepLimitsAndExclusiveJobs) {
  const TenantId tenant = must(store().put_tenant({.name = "t", .max_in_flight = 10}));
  own_everything();
  std::vector<JobRow> jobs;
  for (int i = 0; i < 30; ++i) {
    jobs.push_back(add_job("q" + std::to_string(i), OverlapPolicy::kQueueOne, tenant));
    decide_runs(jobs.back().id, {1, 2});
  }
  std::atomic<int> finished = 0;
  const auto work = [&] {
    const auto mine = open();
    for (int idle = 0; idle < 2'000 && finished < 60; ++idle) {
      const auto runs = must(test::claim(
          *mine, {.job_types = {"default"}, .takers = {{.worker = "w", .max_runs = 4}}}));
      EXPECT_LE(sql("select count(*) from runs where state = 1"), 10);
      EXPECT_EQ(sql("select count(*) from (select job_id from runs where state = 1 "
                    "group by job_id having count(*) > 1) x"),
                0);
      std::vector<AttemptEnd> ends;
      ends.reserve(runs.size());
      for (const ClaimedRun& run : runs) ends.push_back(success(grant_of(run)));
      for (const bool ended : must(mine->end_attempts(ends))) finished += ended ? 1 : 0;
    }
  };
  std::vector<std::thread> workers;
  workers.reserve(4);
  for (int i = 0; i < 4; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(finished, 60);
  EXPECT_EQ(sql("select count(*) from history"), 60);
}

}  // namespace
}  // namespace belfry::store
