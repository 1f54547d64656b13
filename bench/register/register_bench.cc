// What registering jobs costs on a PostgreSQL of our own: in bulk, one by one from many threads,
// and merged into one transaction as the API does it. And what deciding 2,000 ticks costs.
#include "bench/must.h"
#include "store/postgres/postgres_store.h"
#include "tests/support/postgres_server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace belfry::store {
namespace {

using bench::must;
using Seconds = std::chrono::duration<double>;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return Seconds(std::chrono::steady_clock::now() - begin).count();
}

NewJob job_named(const std::string& name) {
  NewJob job{.tenant = TenantId(1)};
  job.definition.name = name;
  job.definition.schedule.cron_expression = "*/5 * * * *";
  job.definition.policies.overlap = core::OverlapPolicy::kAllow;
  job.definition.payload = R"({"account": 4711, "note": "a payload of ordinary size"})";
  job.definition.labels = R"({"team": "billing"})";
  return job;
}

std::vector<NewJob> jobs_named(const std::string& prefix, int count) {
  std::vector<NewJob> jobs;
  for (int i = 0; i < count; ++i) jobs.push_back(job_named(prefix + std::to_string(i)));
  return jobs;
}

const Author kAuthor{"bench", "request-1"};

void bulk(Store& store) {
  std::vector<NewJob> jobs = jobs_named("bulk-", 10'000);
  const Registration request{.jobs = jobs, .replace = true, .author = kAuthor};
  const auto put = [&] { must(store.register_jobs(request)); };
  for (int i = 0; i < 3; ++i) {
    const std::vector<NewJob> more = jobs_named("new-" + std::to_string(i) + "-", 10'000);
    const Registration creation{.jobs = more, .author = kAuthor};
    std::printf("10,000 new jobs                    %7.0f ms\n",
                seconds_of([&] { must(store.register_jobs(creation)); }) * 1e3);
  }
  std::printf("10,000 new jobs, replacing allowed %7.0f ms\n", seconds_of(put) * 1e3);
  std::printf("10,000 unchanged                   %7.0f ms\n", seconds_of(put) * 1e3);
  for (NewJob& job : jobs) job.definition.payload = "[1]";
  std::printf("10,000 new payloads                %7.0f ms\n", seconds_of(put) * 1e3);
  for (NewJob& job : jobs) job.definition.schedule.cron_expression = "*/7 * * * *";
  std::printf("10,000 new schedules               %7.0f ms\n", seconds_of(put) * 1e3);
}

// One transaction of `size` requests of one job each.
void merged(Store& store, std::size_t size, bool once) {
  constexpr int kRounds = 100;
  int number = 0;
  const std::string prefix = "m" + std::to_string(size) + (once ? "k-" : "-");
  const double took = seconds_of([&] {
    for (int round = 0; round < kRounds; ++round) {
      std::vector<NewJob> jobs;
      std::vector<Registration> requests;
      for (std::size_t i = 0; i < size; ++i) {
        jobs.push_back(job_named(prefix + std::to_string(number++)));
      }
      for (const NewJob& job : jobs) {
        requests.push_back({.jobs = {&job, 1}, .author = kAuthor});
        if (once)
          requests.back().idempotency =
              IdempotencyKey{TenantId(1), job.definition.name, "fingerprint"};
      }
      must(store.register_all(requests));
    }
  });
  std::printf("%3zu requests merged%s: %6.2f ms a transaction, %6.0f jobs/s by one thread\n", size,
              once ? ", keyed" : "       ", took * 1e3 / kRounds,
              static_cast<double>(size) * kRounds / took);
}

void single(Store& store, int threads) {
  constexpr int kEach = 100;
  const double took = seconds_of([&] {
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&store, t, threads] {
        for (int i = 0; i < kEach; ++i) {
          const NewJob job = job_named("s" + std::to_string(threads) + "-" + std::to_string(t) +
                                       "-" + std::to_string(i));
          must(store.register_jobs({.jobs = {&job, 1}, .author = kAuthor}));
        }
      });
    }
    for (std::thread& thread : all) thread.join();
  });
  std::printf("%2d threads, one job a transaction:   %6.0f jobs/s\n", threads,
              threads * kEach / took);
}

// 2,000 ticks in one call.
void decide(Store& store) {
  const OwnershipStore::Node node{Incarnation({1, 1}), "bench", RegionNo(0)};
  must(store.renew(node, std::chrono::hours(1)));
  must(store.acquire(node, 256));
  const auto rows = must(store.create_jobs(jobs_named("tick-", 2'000)));
  std::vector<double> times;
  for (int round = 0; round < 60; ++round) {
    const Instant to = must(store.clock());
    std::vector<PartitionDecision> decisions;
    for (const OwnedPartition& mine : must(store.renew(node, std::chrono::hours(1))).mine) {
      decisions.push_back({.partition = mine.partition,
                           .epoch = mine.epoch,
                           .version = mine.version,
                           .from = mine.decided_through,
                           .to = to});
    }
    for (const JobRow& row : rows) {
      const PartitionNo partition = partition_of(row.id);
      const auto of = std::ranges::find(decisions, partition, &PartitionDecision::partition);
      of->decisions.runs.push_back({row.id, Tick(to)});
    }
    times.push_back(seconds_of([&] { must(store.decide(node.incarnation, decisions)); }) * 1e3);
  }
  times.erase(times.begin(), times.begin() + 10);
  std::ranges::sort(times);
  std::printf("2,000 ticks decided: %.2f ms (median of %zu; fastest %.2f)\n",
              times[times.size() / 2], times.size(), times.front());
}

int run() {
  test::PostgresServer server({"shared_buffers=256MB", "full_page_writes=on"});
  const auto open = [&](int connections) {
    return must(open_postgres({.url = server.fresh_database(), .pool_size = connections}));
  };
  decide(*open(4));
  bulk(*open(4));
  const auto store = open(8);
  for (const std::size_t size : {1U, 8U, 32U, 128U}) merged(*store, size, false);
  merged(*store, 32, true);
  for (const int threads : {1, 8, 32}) single(*store, threads);
  return 0;
}

}  // namespace
}  // namespace belfry::store

int main() {
  return belfry::store::run();
}
