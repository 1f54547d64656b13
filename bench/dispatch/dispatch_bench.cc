// What one node does for 32 workers: how many runs a second they complete (claimed, reported,
// confirmed), and how soon a run starts once it is decided. On the real engine and a real store.
#include "base/real_clock.h"
#include "bench/callback_worker.h"
#include "engine/runner.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/postgres_server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kWorkers = 32;
constexpr std::size_t kSlots = 20;  // runs a worker takes at once

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

class Rig {
 public:
  Rig(std::string name, std::unique_ptr<store::Store> store)
      : name_(std::move(name)),
        store_(std::move(store)),
        log_(clock_, stderr_sink(), {.least = LogLevel::kWarn}),
        node_({*store_, clock_, zones_, log_, observer_}, {}, Rng(7)),
        janitor_(*store_, node_.self(), {}),
        runner_(node_, janitor_, {}, log_) {
    runner_.start();
    pass(seconds(3));  // all partitions taken and loaded
  }

  // The workers work off a backlog.
  bool throughput(std::size_t count, double goal) {
    decide_at_once(count);
    std::atomic<std::size_t> done = 0;
    const BootInstant begin = clock_.boot_now();
    {
      const auto workers = hire(done);
      while (done < count && clock_.boot_now() < begin + seconds(120)) pass(milliseconds(2));
    }
    const double took = static_cast<double>((clock_.boot_now() - begin).count()) / 1e6;
    std::printf("%s: %zu of %zu runs claimed and completed by %d workers in %.2f s\n",
                name_.c_str(), done.load(), count, kWorkers, took);
    return verdict("runs/s", static_cast<double>(done) / took, goal, false);
  }

  // 1,000 runs a second, spread evenly.
  bool start_lag(double goal) {
    std::vector<store::JobStore::NewJob> jobs;
    for (int i = 0; i < 1'000; ++i) {
      core::JobDefinition job;
      job.name = "spread-" + std::to_string(i);
      job.schedule.type = core::ScheduleSpec::Type::kEvery;
      job.schedule.every = seconds(1);
      job.schedule.start_at = from_unix_seconds(1'700'000'000) + milliseconds(i);
      jobs.push_back({TenantId(1), RegionNo(0), job});
    }
    std::atomic<std::size_t> done = 0;
    const auto workers = hire(done);
    const auto rows = store_->create_jobs(jobs);
    if (!rows) return false;
    pass(seconds(15));
    std::vector<Duration> lags;
    std::size_t skips = 0;
    for (const store::JobRow& row : *rows) {
      const auto runs = store_->runs_of(row.id);
      const auto skipped = store_->skips_of(row.id);
      if (!runs || !skipped) return false;
      skips += skipped->size();
      for (const auto& run : *runs) {
        // At first the node is still loading the jobs.
        if (run.scheduled_for < row.effective_from + seconds(3) || !run.started_at) continue;
        lags.push_back(*run.started_at - run.decided_at);
      }
    }
    std::sort(lags.begin(), lags.end());
    const auto at = [&](double q) {
      const auto index = static_cast<std::size_t>(q * static_cast<double>(lags.size() - 1));
      return lags.empty() ? 0.0 : static_cast<double>(lags[index].count()) / 1e3;
    };
    std::printf(
        "%s: %zu runs at 1,000 a second (%zu skips), started after p50 %.1f  p95 %.1f  p99 %.1f  "
        "max %.1f ms\n",
        name_.c_str(), lags.size(), skips, at(0.5), at(0.95), at(0.99), at(1));
    return verdict("p99, ms", at(0.99), goal, true);
  }

 private:
  std::vector<std::unique_ptr<CallbackWorker>> hire(std::atomic<std::size_t>& done) {
    std::vector<std::unique_ptr<CallbackWorker>> workers;
    for (int i = 0; i < kWorkers; ++i) {
      workers.push_back(std::make_unique<CallbackWorker>(node_.dispatcher(), clock_, done,
                                                         "worker-" + std::to_string(i), kSlots));
    }
    return workers;
  }

  void decide_at_once(std::size_t count) {
    const Instant at = *store_->clock() + seconds(10);
    std::vector<store::JobStore::NewJob> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      core::JobDefinition job;
      job.name = "backlog-" + std::to_string(i);
      job.schedule.type = core::ScheduleSpec::Type::kOnce;
      job.schedule.run_at = at;
      jobs.push_back({TenantId(1), RegionNo(0), job});
      if (jobs.size() < 10'000 && i + 1 < count) continue;
      const auto made = store_->create_jobs(jobs);
      if (!made) std::printf("%s\n", to_string(made.error()).c_str());
      jobs.clear();
    }
    pass(std::max(at - *store_->clock(), Duration(0)) + seconds(10));
  }

  bool verdict(const char* what, double value, double goal, bool at_most) const {
    const bool met = at_most ? value <= goal : value >= goal;
    std::printf("%s:   %s %.1f, goal %s %.0f  %s\n", name_.c_str(), what, value,
                at_most ? "<=" : ">=", goal, met ? "met" : "MISSED");
    std::fflush(stdout);
    return met;
  }

  std::string name_;
  RealClock clock_;
  std::unique_ptr<store::Store> store_;
  core::ZoneCatalog zones_;
  Logger log_;
  engine::Observer observer_;
  engine::Node node_;
  engine::Janitor janitor_;
  engine::Runner runner_;
};

bool measure(const std::string& name, std::unique_ptr<store::Store> store) {
  Rig rig(name, std::move(store));
  const bool fast = rig.throughput(50'000, 10'000);
  const bool soon = rig.start_lag(10);
  return fast && soon;
}

}  // namespace
}  // namespace belfry

int main() {
  using namespace belfry;
  const RealClock clock;
  // Durable as in production: the test server turns full_page_writes off, a measurement must not.
  test::PostgresServer server({"shared_buffers=512MB", "full_page_writes=on"});
  auto postgres = store::open_postgres({.url = server.fresh_database()});
  bool met = postgres && measure("PostgreSQL", std::move(*postgres));
  const std::string file = "/tmp/belfry-dispatch-" + std::to_string(getpid()) + ".db";
  auto sqlite = store::open_sqlite({.path = file, .now = [&] { return clock.wall_now(); }});
  met = sqlite && measure("SQLite", std::move(*sqlite)) && met;
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  return met ? 0 : 1;
}
