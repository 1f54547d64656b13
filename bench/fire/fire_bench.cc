// How late ticks are decided: under a steady load, in a herd, and at the most one node can decide.
// On the real engine and a real store; lateness comes from the ledger, by the database's own clock.
#include "base/real_clock.h"
#include "engine/runner.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/postgres_server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

core::JobDefinition job_named(const std::string& name) {
  core::JobDefinition job;
  job.name = name;
  job.policies.overlap = core::OverlapPolicy::kAllow;
  return job;
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

  // 10,000 ticks a minute: 1,000 jobs that tick every six seconds, spread over the seconds.
  bool steady() {
    std::vector<store::JobStore::NewJob> jobs;
    for (int i = 0; i < 1'000; ++i) {
      core::JobDefinition job = job_named("steady-" + std::to_string(i));
      job.schedule.cron_expression = std::to_string(i % 6) + "/6 * * * * *";
      jobs.push_back({TenantId(1), RegionNo(0), job});
    }
    // Registered early in a second: a tick that falls due while its job is being written would
    // measure the registration.
    const Duration since_full = store_->clock()->since_origin() % seconds(1);
    pass(seconds(1) - since_full + milliseconds(50));
    const std::vector<store::JobRow> rows = create(jobs);
    pass(seconds(32));
    std::vector<Duration> lags;
    for (const store::JobRow& row : rows) {
      const auto runs = store_->runs_of(row.id);
      if (!runs) return false;
      for (const auto& run : *runs) lags.push_back(run.decided_at - run.scheduled_for);
    }
    std::sort(lags.begin(), lags.end());
    const auto at = [&](double q) {
      const auto index = static_cast<std::size_t>(q * static_cast<double>(lags.size() - 1));
      return static_cast<double>(lags[index].count()) / 1e3;
    };
    std::printf(
        "%s: %zu ticks at 10,000 a minute, decided after p50 %.1f  p95 %.1f  p99 %.1f  max %.1f "
        "ms\n",
        name_.c_str(), lags.size(), at(0.5), at(0.95), at(0.99), at(1));
    return verdict("p99, ms", at(0.99), 10, true);
  }

  // All at the same instant.
  bool herd(std::size_t count, const char* what, bool rate) {
    const Instant at = *store_->clock() + seconds(8);
    std::vector<store::JobStore::NewJob> jobs;
    for (std::size_t i = 0; i < count; ++i) {
      core::JobDefinition job = job_named(std::string(what) + "-" + std::to_string(i));
      job.schedule.type = core::ScheduleSpec::Type::kOnce;
      job.schedule.run_at = at;
      jobs.push_back({TenantId(1), RegionNo(0), job});
    }
    std::vector<store::JobRow> rows;
    for (std::size_t i = 0; i < jobs.size(); i += 10'000) {
      const auto part = std::vector(
          jobs.begin() + static_cast<std::ptrdiff_t>(i),
          jobs.begin() + static_cast<std::ptrdiff_t>(std::min(i + 10'000, jobs.size())));
      const auto made = create(part);
      rows.insert(rows.end(), made.begin(), made.end());
    }
    if (*store_->clock() > at - seconds(2))
      std::printf("%s: registration took too long\n", name_.c_str());
    pass(at - *store_->clock() + seconds(6));
    Duration last{};
    std::size_t found = 0;
    for (const store::JobRow& row : rows) {
      const auto runs = store_->runs_of(row.id);
      if (!runs) return false;
      for (const auto& run : *runs) {
        last = std::max(last, run.decided_at - run.scheduled_for);
        ++found;
      }
    }
    const double lag_seconds = static_cast<double>(last.count()) / 1e6;
    std::printf("%s: %zu jobs due at one instant, %zu decided, the last after %.0f ms\n",
                name_.c_str(), count, found, lag_seconds * 1e3);
    if (found != count)
      return verdict("decided", static_cast<double>(found), static_cast<double>(count), false);
    if (!rate) return verdict("last, ms", lag_seconds * 1e3, 300, true);
    return verdict("ticks/s", static_cast<double>(count) / lag_seconds, 40'000, false);
  }

 private:
  std::vector<store::JobRow> create(const std::vector<store::JobStore::NewJob>& jobs) {
    auto rows = store_->create_jobs(jobs);
    if (rows) return *rows;
    std::printf("%s\n", to_string(rows.error()).c_str());
    return {};
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
  const bool steady = rig.steady();
  const bool herd = rig.herd(10'000, "herd", false);
  const bool flood = rig.herd(50'000, "flood", true);
  return steady && herd && flood;
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
  const std::string file = "/tmp/belfry-fire-" + std::to_string(getpid()) + ".db";
  auto sqlite = store::open_sqlite({.path = file, .now = [&] { return clock.wall_now(); }});
  met = sqlite && measure("SQLite", std::move(*sqlite)) && met;
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  return met ? 0 : 1;
}
