// What registering jobs costs over HTTP: 10,000 in one call, and one by one from 32 clients. A real
// server process on a private PostgreSQL, with the clients on the same cores.
#include "bench/served_port.h"
#include "tests/support/child_process.h"
#include "tests/support/postgres_server.h"
#include "tests/support/raw_client.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kClients = 32;
constexpr auto kTime = std::chrono::seconds(2);
constexpr int kRounds = 11;

std::string job_text(const std::string& name) {
  return R"({"job_name": ")" + name +
         R"(", "job_type": "report", "cron_expression": "*/5 * * * *", "timezone": "Europe/Berlin",)"
         R"( "payload": {"account": 4711, "note": "a payload of ordinary size"},)"
         R"( "labels": {"team": "billing"}})";
}

std::string post(const std::string& path, const std::string& body) {
  return "POST /api/v1/" + path +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

// One build of belfry, on a database of its own.
struct Contender {
  std::string binary;
  std::unique_ptr<test::ChildProcess> server;
  std::uint16_t port = 0;
  std::vector<double> bulk_ms;
  std::vector<double> singles_per_second;
};

double bulk(std::uint16_t port, int round) {
  test::RawClient client(port);
  std::string jobs;
  for (int i = 0; i < 10'000; ++i) {
    if (i > 0) jobs += ',';
    jobs += job_text("bulk-" + std::to_string(round) + "-" + std::to_string(i));
  }
  const std::string request = post("jobs:batch", R"({"jobs": [)" + jobs + "]}");
  poll(nullptr, 0, 1'000);  // until the owner has read what came before
  const auto begin = BenchClock::now();
  client.send(request);
  const auto response = client.read_response();
  const Seconds took = BenchClock::now() - begin;
  if (response.status != 200) throw std::runtime_error("the batch was refused");
  return took.count() * 1e3;
}

double singles(std::uint16_t port, int round) {
  std::atomic<int> made = 0;
  const auto begin = BenchClock::now();
  std::vector<std::thread> threads;
  for (int t = 0; t < kClients; ++t) {
    threads.emplace_back([&, t] {
      const std::string name = "single-" + std::to_string(round) + "-" + std::to_string(t) + "-";
      test::RawClient client(port);
      for (int i = 0; BenchClock::now() < begin + kTime; ++i) {
        client.send(post("jobs", job_text(name + std::to_string(i))));
        if (client.read_response().status == 201) ++made;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Seconds took = BenchClock::now() - begin;
  return made / took.count();
}

std::string spread(std::vector<double> values) {
  std::ranges::sort(values);
  return fmt::format("{:.0f} (from {:.0f} to {:.0f})", values[values.size() / 2], values.front(),
                     values.back());
}

// In turn, because the machine is not equally fast at all times.
int run(std::span<const std::string> binaries) {
  test::PostgresServer database({"shared_buffers=256MB", "full_page_writes=on"});
  std::vector<Contender> contenders;
  for (const std::string& binary : binaries) {
    contenders.push_back({.binary = binary});
    contenders.back().server = std::make_unique<test::ChildProcess>(
        std::vector<std::string>{binary, "serve", "--store", database.fresh_database(), "--listen",
                                 "127.0.0.1:0", "--with-worker", "off"});
    contenders.back().port = bench::served_port(*contenders.back().server);
  }
  poll(nullptr, 0, 3'000);  // all partitions taken and loaded
  for (int round = 0; round < kRounds; ++round) {
    for (Contender& c : contenders) c.bulk_ms.push_back(bulk(c.port, round));
  }
  for (int round = 0; round < kRounds; ++round) {
    for (Contender& c : contenders) c.singles_per_second.push_back(singles(c.port, round));
  }
  for (const Contender& c : contenders) {
    if (contenders.size() > 1) fmt::print("{}\n", c.binary);
    fmt::print("10,000 jobs by one call: {} ms, the first {:.0f} ms\n", spread(c.bulk_ms),
               c.bulk_ms.front());
    fmt::print("{} clients, one job a call: {} jobs/s\n", kClients, spread(c.singles_per_second));
  }
  return 0;
}

}  // namespace
}  // namespace belfry

// Other binaries may be given, to compare builds.
int main(int count, char** words) {
  std::vector<std::string> binaries(words + 1, words + count);
  if (binaries.empty()) binaries.emplace_back(BELFRY_BINARY);
  return belfry::run(binaries);
}
