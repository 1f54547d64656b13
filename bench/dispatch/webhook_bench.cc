// How many webhooks a second one node delivers, from the tick of the runs until the store has
// completed the last: a real engine, a real store, the courier, and an endpoint on loopback that
// answers at once.
#include "base/real_clock.h"
#include "engine/runner.h"
#include "net/server/server.h"
#include "server/couriers/deliveries.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/postgres_server.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

// Counts the completions that the store has confirmed.
class Counter final : public engine::Dispatch {
 public:
  explicit Counter(engine::Dispatch& inner) : inner_(inner) {}

  Result<engine::ClaimId> claim(engine::Claim claim, OnRuns on_runs) override {
    return inner_.claim(std::move(claim), std::move(on_runs));
  }
  bool withdraw(engine::ClaimId claim) override { return inner_.withdraw(claim); }
  void complete(std::vector<engine::Completion> completions, OnCompleted on_completed) override {
    inner_.complete(std::move(completions), [this, on_completed](auto answers) {
      for (const auto& answer : answers) done += answer && *answer == engine::CompletionAnswer::kOk;
      on_completed(std::move(answers));
    });
  }
  void heartbeat(std::vector<store::RunGrant> grants, Duration lease,
                 OnHeartbeat on_heartbeat) override {
    inner_.heartbeat(std::move(grants), lease, std::move(on_heartbeat));
  }
  void give_back(std::vector<store::RunGrant> grants, Duration wait) override {
    inner_.give_back(std::move(grants), wait);
  }
  void wake() override { inner_.wake(); }

  std::atomic<std::size_t> done = 0;

 private:
  engine::Dispatch& inner_;
};

bool add_jobs(store::Store& store, std::size_t count, Instant at, const std::string& url) {
  std::vector<store::JobStore::NewJob> jobs;
  for (std::size_t i = 0; i < count; ++i) {
    core::JobDefinition job;
    job.name = "hook-" + std::to_string(i);
    job.schedule.type = core::ScheduleSpec::Type::kOnce;
    job.schedule.run_at = at;
    job.target = R"({"kind":"HTTP","url":")" + url + R"(","secret":"whsec_c2VjcmV0"})";
    jobs.push_back({TenantId(1), RegionNo(0), job});
    if (jobs.size() < 10'000 && i + 1 < count) continue;
    if (!store.create_jobs(jobs)) return false;
    jobs.clear();
  }
  return true;
}

bool measure(const std::string& name, store::Store& store, std::size_t count) {
  const RealClock clock;
  core::ZoneCatalog zones;
  Logger log(clock, stderr_sink(), {.least = LogLevel::kWarn});
  engine::Observer observer;
  engine::Node node({store, clock, zones, log, observer}, {}, Rng(7));
  engine::Janitor janitor(store, node.self(), {});
  engine::Runner runner(node, janitor, {}, log);
  const auto endpoint = net::HttpServer::start(
      {}, [](const net::Request&, const net::Responder& to) { to.send({.body = "{}"}); });
  if (!endpoint) return false;
  runner.start();
  Counter counter(node.dispatcher());
  config::ServeOptions options;
  options.allow_private_webhooks = "127.0.0.1";
  const auto deliveries = server::Deliveries::start(
      options, {.dispatch = counter,
                .keys = store,
                .clock = clock,
                .now = [&] { return node.now().value_or(clock.wall_now()); },
                .log = log});
  if (!deliveries) return false;
  pass(seconds(3));  // all partitions taken and loaded
  const std::string url = "http://127.0.0.1:" + std::to_string((*endpoint)->port()) + "/hook";
  const Instant at = *store.clock() + seconds(10);
  if (!add_jobs(store, count, at, url)) return false;
  pass(std::max(at - *store.clock(), Duration(0)));
  const BootInstant begin = clock.boot_now();
  while (counter.done < count && clock.boot_now() < begin + seconds(120)) pass(milliseconds(2));
  const double took = static_cast<double>((clock.boot_now() - begin).count()) / 1e6;
  std::printf("%s: %zu of %zu webhooks from tick to completion in %.2f s: %.0f runs/s\n",
              name.c_str(), counter.done.load(), count, took,
              static_cast<double>(counter.done) / took);
  std::fflush(stdout);
  (*deliveries)->stop();
  runner.stop();
  return counter.done == count;
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  using namespace belfry;
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000;
  const RealClock clock;
  test::PostgresServer server({"shared_buffers=512MB", "full_page_writes=on"});
  auto postgres = store::open_postgres({.url = server.fresh_database()});
  bool fine = postgres && measure("PostgreSQL", **postgres, count);
  const std::string file = "/tmp/belfry-webhooks-" + std::to_string(getpid()) + ".db";
  auto sqlite = store::open_sqlite({.path = file, .now = [&] { return clock.wall_now(); }});
  fine = sqlite && measure("SQLite", **sqlite, count) && fine;
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  return fine ? 0 : 1;
}
