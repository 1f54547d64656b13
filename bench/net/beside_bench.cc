// Whether waiting clients delay the ticks: how late a real server on PostgreSQL decides 10,000
// ticks a minute, first alone, then with 5,000 parked claims and 500 event streams that hear of
// every tick.
#include "bench/served_port.h"
#include "store/postgres/postgres_store.h"
#include "tests/support/child_process.h"
#include "tests/support/postgres_server.h"
#include "tests/support/raw_client.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

constexpr int kPolls = 5'000;
constexpr int kStreams = 500;
constexpr int kJobs = 1'000;
constexpr int kSeconds = 30;

double resident_megabytes(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  in >> total >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

std::string claim_of(int number) {
  const std::string body = R"({"worker_id": "waiting-)" + std::to_string(number) +
                           R"(", "job_types": ["nothing"], "max_runs": 1, "wait_seconds": 60})";
  return "POST /api/v1/runs:claim HTTP/1.1\r\nHost: localhost\r\n"
         "Content-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::vector<JobId> register_jobs(store::Store& store) {
  std::vector<store::NewJob> jobs;
  for (int i = 0; i < kJobs; ++i) {
    store::NewJob job{.tenant = TenantId(1)};
    job.definition.name = "steady-" + std::to_string(i);
    job.definition.schedule.cron_expression = std::to_string(i % 6) + "/6 * * * * *";
    job.definition.policies.overlap = core::OverlapPolicy::kAllow;
    jobs.push_back(job);
  }
  const auto rows = store.create_jobs(jobs);
  if (!rows) std::exit(1);
  std::vector<JobId> ids;
  for (const store::JobRow& row : *rows) ids.push_back(row.id);
  return ids;
}

void print_lags(store::Store& store, const std::vector<JobId>& jobs, const char* when) {
  const Instant from = *store.clock();
  poll(nullptr, 0, kSeconds * 1'000);
  std::vector<double> lags;
  for (const JobId job : jobs) {
    const auto runs = store.runs_of(job);
    if (!runs) std::exit(1);
    for (const auto& run : *runs) {
      if (run.scheduled_for <= from) continue;
      lags.push_back(static_cast<double>((run.decided_at - run.scheduled_for).count()) / 1e3);
    }
  }
  std::ranges::sort(lags);
  const auto at = [&](double q) {
    return lags[static_cast<std::size_t>(q * static_cast<double>(lags.size() - 1))];
  };
  std::printf("%s: %zu ticks decided after p50 %.1f  p95 %.1f  p99 %.1f  max %.1f ms\n", when,
              lags.size(), at(0.5), at(0.95), at(0.99), at(1));
  std::fflush(stdout);
}

int run() {
  test::PostgresServer database({"shared_buffers=256MB", "full_page_writes=on"});
  const std::string url = database.fresh_database();
  const test::ChildProcess server(
      {BELFRY_BINARY, "serve", "--store", url, "--listen", "127.0.0.1:0", "--with-worker", "off"});
  const std::uint16_t port = bench::served_port(server);
  const auto store = std::move(*store::open_postgres({.url = url}));
  poll(nullptr, 0, 3'000);  // all partitions taken and loaded
  const std::vector<JobId> jobs = register_jobs(*store);
  poll(nullptr, 0, 2'000);
  print_lags(*store, jobs, "by itself");

  const double before = resident_megabytes(server.pid());
  std::vector<test::RawClient> polls;
  std::vector<test::RawClient> streams;
  for (int i = 0; i < kPolls; ++i) polls.emplace_back(port).send(claim_of(i));
  for (int i = 0; i < kStreams; ++i) {
    streams.emplace_back(port).send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  int listening = 0;
  for (auto& stream : streams) listening += stream.read_response().status == 200 ? 1 : 0;
  std::atomic<bool> enough = false;
  // They are read, as clients would: otherwise the server would close them.
  std::thread reader([&] {
    while (!enough) {
      for (auto& stream : streams) stream.drain();
      poll(nullptr, 0, 50);
    }
  });
  poll(nullptr, 0, 1'000);
  print_lags(*store, jobs, "beside waiting clients");
  enough = true;
  reader.join();
  const auto waiting = std::ranges::count_if(polls, [](auto& poll) { return poll.is_waiting(); });
  const auto open =
      std::ranges::count_if(streams, [](auto& stream) { return stream.is_waiting(); });
  std::printf(
      "%td claims and %td streams (%d answered) still wait; memory %.0f MB before, %.0f MB "
      "with them\n",
      waiting, open, listening, before, resident_megabytes(server.pid()));
  return waiting == kPolls && open == kStreams ? 0 : 1;
}

}  // namespace
}  // namespace belfry

int main() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  return belfry::run();
}
