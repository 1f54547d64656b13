// What registering jobs costs through HTTP: 10,000 in one call, and one by one from 32 clients. A
// real server process on a PostgreSQL of our own, the clients beside them on the same cores.
#include "bench/served_port.h"
#include "tests/support/child_process.h"
#include "tests/support/postgres_server.h"
#include "tests/support/raw_client.h"

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

using BenchClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kClients = 32;
constexpr auto kTime = std::chrono::seconds(10);

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

void bulk(std::uint16_t port) {
  test::RawClient client(port);
  for (int round = 0; round < 6; ++round) {
    std::string jobs;
    for (int i = 0; i < 10'000; ++i) {
      if (i > 0) jobs += ',';
      jobs += job_text("bulk-" + std::to_string(round) + "-" + std::to_string(i));
    }
    const std::string request = post("jobs:batch", R"({"jobs": [)" + jobs + "]}");
    poll(nullptr, 0, 2'000);  // until the owner has read what came before
    const auto begin = BenchClock::now();
    client.send(request);
    const auto response = client.read_response();
    const Seconds took = BenchClock::now() - begin;
    std::printf("10,000 jobs by one call: status %d after %.0f ms\n", response.status,
                took.count() * 1e3);
  }
}

void singles(std::uint16_t port) {
  std::atomic<int> made = 0;
  std::atomic<int> refused = 0;
  const auto begin = BenchClock::now();
  std::vector<std::thread> threads;
  for (int t = 0; t < kClients; ++t) {
    threads.emplace_back([&, t] {
      test::RawClient client(port);
      for (int i = 0; BenchClock::now() < begin + kTime; ++i) {
        client.send(
            post("jobs", job_text("single-" + std::to_string(t) + "-" + std::to_string(i))));
        ++(client.read_response().status == 201 ? made : refused);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Seconds took = BenchClock::now() - begin;
  std::printf("%d clients, one job a call: %.0f jobs/s (%d made, %d refused)\n", kClients,
              made / took.count(), made.load(), refused.load());
}

int run() {
  test::PostgresServer database({"shared_buffers=256MB", "full_page_writes=on"});
  const test::ChildProcess server({BELFRY_BINARY, "serve", "--store", database.fresh_database(),
                                   "--listen", "127.0.0.1:0", "--with-worker", "off"});
  const std::uint16_t port = bench::served_port(server);
  poll(nullptr, 0, 3'000);  // all partitions taken and loaded
  bulk(port);
  singles(port);
  return 0;
}

}  // namespace
}  // namespace belfry

int main() {
  return belfry::run();
}
