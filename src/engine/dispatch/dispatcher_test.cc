#include "engine/dispatch/dispatcher.h"

#include "base/condition.h"
#include "base/real_clock.h"
#include "core/schedule/zone_catalog.h"
#include "engine/runner.h"
#include "tests/engine/dispatch_fixture.h"

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;
using core::AttemptOutcome;

class DispatcherTest : public DispatchFixture {
 protected:
  DispatcherTest() {
    live_.on_ready([this] { dispatcher_.wake(); });
  }
  void ask() {
    must(dispatcher_.claim(
        {.worker = "worker", .job_types = {"default"}, .max_runs = 10, .until = now() + 1min},
        [this](std::vector<ClaimedRun> runs) {
          runs_ = std::move(runs);
          return true;
        }));
    catch_up();
    must(dispatcher_.claim());
  }
  void end(const ClaimedRun& run, AttemptOutcome outcome) {
    dispatcher_.complete({{.grant = grant_of(run), .outcome = outcome}}, [](const auto&) {});
    must(dispatcher_.end_attempts());
    catch_up();
  }
  // Until the duty wants to run.
  Duration sleep_until_claim() {
    const BootInstant from = now();
    const BootInstant wake = dispatcher_.claims().next_wakeup().value_or(from);
    if (wake > from) pass(wake - from);
    catch_up();
    must(dispatcher_.claim());
    return now() - from;
  }

  Dispatcher dispatcher_{{store_, live_, clock_, observer_}, Rng(1), {}};
  std::vector<ClaimedRun> runs_;
};

TEST_F(DispatcherTest, RemembersWhoAskedLately) {
  const auto ask_as = [this](const std::string& worker, std::optional<TenantId> tenant) {
    must(dispatcher_.claim({.worker = worker,
                            .job_types = {"mail"},
                            .tenant = tenant,
                            .max_runs = 3,
                            .until = now() + 1min},
                           [](const auto&) { return true; }));
  };
  ask_as("ours", TenantId(7));
  ask_as("theirs", TenantId(8));
  ask_as("everybody's", {});
  const auto seen = dispatcher_.workers_of(TenantId(7), 10);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].name, "everybody's");
  EXPECT_EQ(seen[1].name, "ours");
  EXPECT_EQ(seen[1].queues, std::vector<std::string>{"mail"});
  EXPECT_EQ(seen[1].room, 3U);
  EXPECT_EQ(dispatcher_.workers_of(TenantId(7), 1).size(), 1U);
  pass(2min);
  EXPECT_TRUE(dispatcher_.workers_of(TenantId(7), 10).empty());
}

TEST_F(DispatcherTest, AnEndedRunMakesRoomForTheNextOfItsJob) {
  trigger(add_job("default", core::OverlapPolicy::kForbid), 2);
  ask();
  ASSERT_EQ(runs_.size(), 1U);
  const ClaimedRun first = runs_[0];
  runs_.clear();
  ask();
  EXPECT_TRUE(runs_.empty());
  end(first, AttemptOutcome::kSucceeded);
  EXPECT_LE(sleep_until_claim(), 10ms);
  EXPECT_EQ(runs_.size(), 1U);
}

TEST_F(DispatcherTest, AFailedRunIsHandedOutWhenItIsDueAgain) {
  trigger(add_job(), 1);
  ask();
  const ClaimedRun first = runs_.at(0);
  runs_.clear();
  ask();
  end(first, AttemptOutcome::kFailed);
  const Instant due = clock_.wall_now() + 5s;  // the default base is the longest first wait
  while (runs_.empty() && clock_.wall_now() < due + 1s) sleep_until_claim();
  EXPECT_EQ(runs_.size(), 1U);
  EXPECT_LE(clock_.wall_now(), due + 10ms);
}

// Everything with its threads: many workers, and each report leads to the next claim.
TEST(RunnerTest, WorkersAreServedUntilTheNodeStops) {
  constexpr int kRuns = 500;
  constexpr int kWorkers = 8;
  // Before the node, whose threads are in them.
  Mutex mutex;
  Condition changed;
  int ended = 0;
  int sent_away = 0;
  std::function<void()> work;
  const RealClock clock;
  const auto store =
      must(store::open_sqlite({.path = ":memory:", .now = [&clock] { return clock.wall_now(); }}));
  core::ZoneCatalog zones;
  Logger log(clock, [](std::string_view) {}, {});
  Observer observer;
  Node node({*store, clock, zones, log, observer}, {}, Rng(1));
  Janitor janitor(*store, node.self(), {});
  Runner runner(node, janitor, {}, log);
  Dispatch& dispatch = node.dispatcher();

  work = [&] {
    const auto asked =
        dispatch.claim({.worker = "worker",
                        .job_types = {"default"},
                        .max_runs = 7,
                        .until = clock.boot_now() + 1h},
                       [&](const std::vector<store::ClaimedRun>& runs) {
                         std::vector<Completion> reports;
                         for (const auto& run : runs) {
                           reports.push_back({.grant = {run.run, run.fence},
                                              .outcome = AttemptOutcome::kSucceeded});
                         }
                         if (reports.empty()) {
                           const MutexLock lock(mutex);
                           ++sent_away;
                           return true;
                         }
                         dispatch.complete(reports, [&](const auto& answers) {
                           {
                             const MutexLock lock(mutex);
                             for (const auto& answer : answers) {
                               if (answer && *answer == CompletionAnswer::kOk) ++ended;
                             }
                           }
                           changed.notify_all();
                           work();
                         });
                         return true;
                       });
    EXPECT_TRUE(asked);
  };
  runner.start();
  for (int i = 0; i < kWorkers; ++i) work();

  store::JobStore::NewJob job{.tenant = TenantId(1), .region = RegionNo(0)};
  job.definition.name = "job";
  job.definition.schedule.cron_expression = "0 0 1 1 *";
  job.definition.policies.overlap = core::OverlapPolicy::kAllow;
  const JobId id = must(store->create_jobs({&job, 1})).at(0).id;
  for (int i = 0; i < kRuns; ++i) {
    must(store->trigger({.job = id, .key = core::RunKey(-1 - i)}));
    dispatch.wake();
  }
  {
    const BootInstant deadline = clock.boot_now() + 60s;
    const MutexLock lock(mutex);
    while (ended < kRuns && clock.boot_now() < deadline) changed.wait_for(mutex, 1s);
    EXPECT_EQ(ended, kRuns);
  }
  runner.stop();
  const MutexLock lock(mutex);
  EXPECT_EQ(sent_away, kWorkers);
}

}  // namespace
}  // namespace belfry::engine
