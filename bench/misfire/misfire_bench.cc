// A one-second job that nobody looked after for 30 days: how long its owner takes until every tick
// has its fate in the store (load, decide, commit). For each misfire policy; the goal is 50 ms, and
// the first round counts, before any statement is prepared.
#include "base/manual_clock.h"
#include "engine/dispatch/claims.h"
#include "engine/ticks/ticker.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/postgres_server.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;
using core::MisfirePolicy;

constexpr double kGoalMillis = 50;
constexpr Duration kDowntime = std::chrono::days(30);
constexpr int kRounds = 5;
constexpr std::size_t kGoalRows = core::JobPolicies{}.max_missed_firings + 1;

struct Policy {
  MisfirePolicy misfire;
  const char* name;
};

class Rig {
 public:
  Rig(std::string name, store::Store& store, ManualClock& clock)
      : name_(std::move(name)),
        store_(store),
        clock_(clock),
        log_(clock, stderr_sink(), {.least = LogLevel::kWarn}) {}

  // False when the goal is missed.
  bool measure(const Policy& policy) {
    double worst = 0;
    std::size_t rows = 0;
    for (int round = 0; round < kRounds; ++round) {
      const JobId job = create(policy);
      clock_.advance(kDowntime);
      worst = std::max(worst, decide(job));
      rows = missed_rows(job);
      static_cast<void>(
          store_.change_job({.job = job, .status = core::JobStatus::kDeleted}).has_value());
    }
    const bool met = worst <= kGoalMillis && rows <= kGoalRows;
    std::printf("%-10s  %-9s  %6.1f ms at worst of %d, goal <= %.0f; %zu rows, goal <= %zu  %s\n",
                name_.c_str(), policy.name, worst, kRounds, kGoalMillis, rows, kGoalRows,
                met ? "met" : "MISSED");
    return met;
  }

 private:
  // Rows of the missed ticks; those of the last ten seconds are on time.
  std::size_t missed_rows(JobId job) {
    const Instant on_time = clock_.wall_now() - std::chrono::seconds(10);
    const auto runs = *store_.runs_of(job);
    const auto skips = *store_.skips_of(job);
    const auto missed_runs =
        std::ranges::count_if(runs, [&](const auto& run) { return run.scheduled_for < on_time; });
    const auto missed_skips = std::ranges::count_if(
        skips, [&](const auto& skip) { return skip.first.instant() < on_time; });
    return static_cast<std::size_t>(missed_runs + missed_skips);
  }

  JobId create(const Policy& policy) {
    store::JobStore::NewJob job{TenantId(1), RegionNo(0), {}};
    job.definition.name = "job-" + std::to_string(++created_);
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.misfire = policy.misfire;
    return store_.create_jobs({&job, 1})->at(0).id;
  }

  // How long a new owner of the job's partition takes, in milliseconds.
  double decide(JobId job) {
    const store::OwnershipStore::Node node{Incarnation({1, ++created_}), "node", RegionNo(0)};
    static_cast<void>(store_.renew(node, std::chrono::seconds(5)).has_value());
    engine::Observer observer;
    engine::LiveRuns live({store_, store_}, [this] { return clock_.wall_now(); }, Rng(1));
    engine::Claims claims(store_, live, observer);
    engine::Ticker ticker({store_, zones_, log_, observer, live, claims}, node.incarnation);
    const auto taken = store_.acquire(node, 256);
    for (const store::OwnedPartition& partition : *taken) {
      if (partition.partition == partition_of(job)) ticker.gain(partition);
    }
    const auto begin = BenchClock::now();
    const auto report = ticker.run_once(clock_.wall_now());
    const std::chrono::duration<double, std::milli> took = BenchClock::now() - begin;
    if (!report) std::printf("%s\n", to_string(report.error()).c_str());
    return report ? took.count() : kGoalMillis * 100;
  }

  std::string name_;
  store::Store& store_;
  ManualClock& clock_;
  Logger log_;
  core::ZoneCatalog zones_;
  std::uint64_t created_ = 0;
};

bool measure(const std::string& name, store::Store& store, ManualClock& clock) {
  Rig rig(name, store, clock);
  bool met = true;
  for (const Policy& policy : {Policy{MisfirePolicy::kFireOnce, "FIRE_ONCE"},
                               {MisfirePolicy::kSkip, "SKIP"},
                               {MisfirePolicy::kFireAll, "FIRE_ALL"}}) {
    met = rig.measure(policy) && met;
  }
  return met;
}

}  // namespace
}  // namespace belfry

int main() {
  using namespace belfry;
  ManualClock clock(from_unix_seconds(1'800'000'000));
  // Durable as in production: the test server turns full_page_writes off, a measurement must not.
  test::PostgresServer server({"full_page_writes=on"});
  auto postgres = store::open_postgres({.url = server.fresh_database(), .now_override = [&] {
                                          return std::optional(clock.wall_now());
                                        }});
  bool met = postgres && measure("PostgreSQL", **postgres, clock);
  const std::string file = "/tmp/belfry-misfire-" + std::to_string(getpid()) + ".db";
  auto sqlite = store::open_sqlite({.path = file, .now = [&] { return clock.wall_now(); }});
  met = sqlite && measure("SQLite", **sqlite, clock) && met;
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  return met ? 0 : 1;
}
