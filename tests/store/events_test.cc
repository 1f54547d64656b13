#include "tests/store/suite.h"
#include "tests/support/eventually.h"

#include <algorithm>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::JobStatus;
using core::OverlapPolicy;
using core::RunKey;
using core::RunState;

class EventsTest : public StoreTest {
 protected:
  EventsTest() {
    own_everything();
    seen_ = must(store().last_event());
  }

  // What happened since the last look, which is something. PostgreSQL tells it a little later while
  // a transaction of somebody else is open, of its own housework for instance.
  std::vector<Event> news() {
    std::vector<Event> events;
    EXPECT_TRUE(test::eventually([&] {
      events = must(store().events_after(seen_, 1'000));
      return !events.empty();
    }));
    if (!events.empty()) seen_ = events.back().id;
    return events;
  }
  bool is_quiet() { return must(store().events_after(seen_, 1'000)).empty(); }
  std::vector<RunEvent> run_news() {
    std::vector<RunEvent> all;
    for (const Event& event : news()) {
      EXPECT_EQ(event.count, event.runs.size());
      all.insert(all.end(), event.runs.begin(), event.runs.end());
    }
    return all;
  }

  EventId seen_;
};

TEST_P(EventsTest, ChangesOfJobsAreEvents) {
  const JobRow job = add_job("a");
  auto events = news();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at, now());
  EXPECT_EQ(events[0].tenant, TenantId(1));
  EXPECT_EQ(events[0].count, 1U);
  EXPECT_EQ(events[0].jobs, (std::vector{JobEvent{job.id, 1, JobStatus::kActive}}));
  EXPECT_TRUE(events[0].runs.empty());
  must(store().change_job({.job = job.id, .status = JobStatus::kPaused}));
  events = news();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].jobs, (std::vector{JobEvent{job.id, 2, JobStatus::kPaused}}));
  EXPECT_TRUE(is_quiet());
}

TEST_P(EventsTest, ABulkIsOneEventForEachTenantAndNamesTwenty) {
  const TenantId other = must(store().put_tenant({.name = "other"}));
  std::vector<NewJob> jobs;
  for (int i = 0; i < 50; ++i) {
    jobs.push_back(
        new_job("j" + std::to_string(i), OverlapPolicy::kAllow, i < 45 ? TenantId(1) : other));
  }
  must(store().create_jobs(jobs));
  auto events = news();
  ASSERT_EQ(events.size(), 2U);
  if (events[0].tenant == other) std::swap(events[0], events[1]);
  EXPECT_EQ(events[0].count, 45U);
  EXPECT_EQ(events[0].jobs.size(), 20U);
  EXPECT_EQ(events[1].count, 5U);
  EXPECT_EQ(events[1].jobs.size(), 5U);
}

TEST_P(EventsTest, ARunTellsOfItsWholeLife) {
  const JobRow job = add_job("a");
  news();
  decide_runs(job.id, {60});
  const core::RunRef run = ref(job.id, 60);
  EXPECT_EQ(run_news(), (std::vector{RunEvent{run, RunState::kReady}}));
  RunGrant grant = grant_of(claim(1).at(0));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{run, RunState::kRunning}}));
  EXPECT_TRUE(end(failure(grant, 1s)));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{run, RunState::kRetrying}}));
  pass(1s);
  grant = grant_of(claim(1).at(0));
  must(store().return_runs({&grant, 1}));
  EXPECT_EQ(run_news(),
            (std::vector{RunEvent{run, RunState::kRunning}, RunEvent{run, RunState::kRetrying}}));
  grant = grant_of(claim(1).at(0));
  EXPECT_TRUE(end(success(grant)));
  EXPECT_FALSE(end(success(grant)));
  EXPECT_EQ(run_news(),
            (std::vector{RunEvent{run, RunState::kRunning}, RunEvent{run, RunState::kSucceeded}}));
  EXPECT_TRUE(claim(1).empty());
  EXPECT_TRUE(is_quiet());
}

TEST_P(EventsTest, TriggersAndCancelsAreEvents) {
  const JobRow job = add_job("a");
  news();
  const core::RunRef a{job.id, RunKey(-7)};
  const core::RunRef b{job.id, RunKey(-8)};
  must(store().trigger({.job = job.id, .key = a.key}));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{a, RunState::kReady}}));
  must(store().trigger({.job = job.id, .key = a.key}));
  EXPECT_TRUE(is_quiet());
  must(store().cancel_run(a));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{a, RunState::kCancelled}}));
  must(store().trigger({.job = job.id, .key = b.key}));
  claim(1);
  news();
  must(store().cancel_run(b));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{b, RunState::kRunning}}));
}

TEST_P(EventsTest, WhatPeopleAskForIsAnEvent) {
  const JobRow job = add_job("a");
  pass(5min);
  decide(decision(job.id, now()));
  news();
  const core::RunRef run = ref(job.id, 60);
  must(store().backfill({.job = job.id, .ticks = {{tick(60), 1h}}, .dry_run = true}));
  EXPECT_TRUE(is_quiet());
  must(store().backfill({.job = job.id, .ticks = {{tick(60), 1h}}}));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{run, RunState::kReady}}));
  // Who pauses a job ends what waits in line.
  must(store().change_job({.job = job.id, .status = JobStatus::kPaused}));
  auto events = news();
  ASSERT_EQ(events.size(), 2U);
  if (events[0].runs.empty()) std::swap(events[0], events[1]);
  EXPECT_EQ(events[0].runs, (std::vector{RunEvent{run, RunState::kCancelled}}));
  must(store().retry_run(run, RunKey(-9)));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{run, RunState::kReady}}));
  EXPECT_TRUE(end(success(grant_of(claim(1).at(0)))));
  news();
  must(store().retry_run(run, RunKey(-9)));
  must(store().retry_run(run, RunKey(-9)));
  EXPECT_EQ(run_news(), (std::vector{RunEvent{{job.id, RunKey(-9)}, RunState::kReady}}));
}

TEST_P(EventsTest, AJobThatCompletesIsAnEvent) {
  const JobRow job = add_job("a");
  const PartitionDecision at = decision(job.id, now());
  news();
  const EndedJobs ended{
      .partition = at.partition, .epoch = at.epoch, .version = at.version, .jobs = {job.id}};
  for (int i = 0; i < 2; ++i) must(store().complete_jobs(node(1).incarnation, {&ended, 1}));
  const auto events = news();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].jobs, (std::vector{JobEvent{job.id, 1, JobStatus::kCompleted}}));
}

TEST_P(EventsTest, AReplacedRunIsAnEvent) {
  const JobRow job = add_job("a", OverlapPolicy::kReplace);
  decide_runs(job.id, {60});
  news();
  decide_runs(job.id, {120});
  std::vector<RunEvent> told = run_news();
  std::ranges::sort(told, {}, [](const RunEvent& news) { return news.run; });
  EXPECT_EQ(told, (std::vector{RunEvent{ref(job.id, 60), RunState::kCancelled},
                               RunEvent{ref(job.id, 120), RunState::kReady}}));
}

TEST_P(EventsTest, ManyRunsAreOneEvent) {
  const JobRow job = add_job("a");
  news();
  std::vector<int> ticks;
  for (int i = 1; i <= 30; ++i) ticks.push_back(i);
  decide_runs(job.id, ticks);
  auto events = news();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].count, 30U);
  EXPECT_EQ(events[0].runs.size(), 20U);
  std::vector<AttemptEnd> ends;
  for (const ClaimedRun& run : claim(30)) ends.push_back(success(grant_of(run)));
  must(store().end_attempts(ends));
  events = news();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].count, 30U);
  EXPECT_EQ(events[1].count, 30U);
}

TEST_P(EventsTest, AReaderGoesOnWhereItStopped) {
  for (int i = 0; i < 5; ++i) add_job("j" + std::to_string(i));
  std::size_t read = 0;
  for (;; ++read) {
    const auto events = must(store().events_after(seen_, 1));
    if (events.empty()) break;
    EXPECT_GT(events.at(0).id, seen_);
    seen_ = events.at(0).id;
  }
  EXPECT_EQ(read, 5U);
  EXPECT_LE(seen_, must(store().last_event()));
}

TEST_P(EventsTest, WhatFailedIsNoEvent) {
  add_job("a");
  news();
  const NewJob again = new_job("a", OverlapPolicy::kAllow);
  EXPECT_EQ(code_of(store().create_jobs({&again, 1})), Errc::kConflict);
  EXPECT_TRUE(is_quiet());
}

TEST_P(EventsTest, AreForgottenAfterAnHour) {
  add_job("a");
  pass(50min);
  add_job("b");
  pass(20min);
  must(store().keep_history(24h));
  const auto events = news();
  ASSERT_EQ(events.size(), 1U);
  pass(1h);
  must(store().keep_history(24h));
  const EventId last = must(store().last_event());
  EXPECT_GE(last, events[0].id);
  add_job("c");
  EXPECT_EQ(must(store().events_after(last, 10)).size(), 1U);
}

BELFRY_FOR_EACH_STORE(EventsTest);

}  // namespace
}  // namespace belfry::store
