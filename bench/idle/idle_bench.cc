// What a node costs while nothing is due: a million jobs, all in the future, on PostgreSQL.
#include "base/real_clock.h"
#include "engine/runner.h"
#include "store/postgres/postgres_store.h"
#include "store/postgres/wire/connection.h"
#include "tests/support/postgres_server.h"

#include <poll.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kJobs = 1'000'000;
constexpr int kBatch = 10'000;
constexpr int kSeconds = 30;

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// How many transactions the database has committed so far.
std::int64_t transactions(const std::string& url) {
  const RealClock clock;
  store::postgres::Connection connection({.url = url, .prepare = false}, clock);
  const BootInstant deadline = clock.boot_now() + seconds(10);
  if (!connection.open(deadline)) return 0;
  const auto reply =
      connection.run("select xact_commit from pg_stat_database where datname = current_database()",
                     store::postgres::Params(), store::postgres::Effect::kNone, deadline);
  return reply && !reply->empty() ? reply->row(0).number() : 0;
}

// Daily and monthly jobs next January, some at times of their own.
bool register_jobs(store::Store& store) {
  for (int i = 0; i < kJobs; i += kBatch) {
    std::vector<store::JobStore::NewJob> jobs;
    for (int k = i; k < i + kBatch; ++k) {
      core::JobDefinition job;
      job.name = "future-" + std::to_string(k);
      job.schedule.cron_expression =
          std::to_string(k % 60) + " " + std::to_string(k / 60 % 24) + " 1 1 *";
      jobs.push_back({TenantId(1), RegionNo(0), job});
    }
    if (const auto made = store.create_jobs(jobs); !made) {
      std::printf("%s\n", to_string(made.error()).c_str());
      return false;
    }
    std::fprintf(stderr, "\rregistered %d of %d", i + kBatch, kJobs);
  }
  std::fprintf(stderr, "\n");
  return true;
}

bool measure() {
  const RealClock clock;
  test::PostgresServer server({"shared_buffers=512MB", "full_page_writes=on"});
  const std::string url = server.fresh_database();
  auto opened = store::open_postgres({.url = url});
  if (!opened || !(*opened)->put_tenant({.id = TenantId(1), .name = "default", .max_jobs = 0}))
    return false;
  store::Store& store = **opened;
  if (!register_jobs(store)) return false;
  core::ZoneCatalog zones;
  Logger log(clock, stderr_sink(), {.least = LogLevel::kWarn});
  engine::Observer observer;
  engine::Node node({store, clock, zones, log, observer}, {}, Rng(7));
  engine::Janitor janitor(store, node.self(), {});
  engine::Runner runner(node, janitor, {}, log);
  runner.start();
  while (node.standing().jobs < static_cast<std::size_t>(kJobs)) pass(seconds(1));
  pass(seconds(5));
  const double cpu = cpu_seconds();
  const std::int64_t before = transactions(url);
  pass(seconds(kSeconds));
  const double share = (cpu_seconds() - cpu) / kSeconds * 100;
  const double rate = static_cast<double>(transactions(url) - before - 1) / kSeconds;
  std::printf("%d future jobs, %d s: %.2f %% of a core, %.1f transactions a second\n", kJobs,
              kSeconds, share, rate);
  std::printf(
      "  goal: under 1 %%, and no statement more often than the lease is renewed (1/s): %s\n",
      share < 1 ? "met" : "MISSED");
  return share < 1;
}

}  // namespace
}  // namespace belfry

int main() {
  return belfry::measure() ? 0 : 1;
}
