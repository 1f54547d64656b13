// Runs a second from tick to confirmed completion, through a real server process, for each way a
// worker can reach it: REST, gRPC by single calls, a gRPC stream.
#include "base/real_clock.h"
#include "base/text/instant_text.h"
#include "client/client.h"
#include "rpc/grpc_transport.h"
#include "tests/support/child_process.h"
#include "tests/support/postgres_server.h"
#include "worker/rest_transport.h"
#include "worker/worker.h"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <regex>
#include <string>
#include <thread>
#include <vector>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kRuns = 20'000;
constexpr int kWorkers = 4;
constexpr std::size_t kSlots = 64;  // runs a worker takes at once

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

class Rig {
 public:
  Rig(std::string name, const std::string& store)
      : name_(std::move(name)),
        log_(clock_, stderr_sink(), {.least = LogLevel::kError}),
        server_({BELFRY_BINARY, "serve", "--store", store, "--listen", "127.0.0.1:0",
                 "--with-worker", "off"}) {
    http_ = address(R"(listening\S* address=(\S+))");
    grpc_ = address(R"(grpc_ready grpc=(\S+))");
    pass(seconds(3));  // all partitions taken and loaded
  }

  void measure(const std::string& way) {
    const std::string type = "bench-" + way;
    const Instant tick = clock_.wall_now() + seconds(10);
    if (!register_jobs(type, tick)) return;
    std::atomic<int> done = 0;
    std::vector<std::unique_ptr<worker::Transport>> transports;
    std::vector<std::unique_ptr<worker::Worker>> workers;
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkers; ++i) {
      transports.push_back(transport(way));
      workers.push_back(std::make_unique<worker::Worker>(
          *transports.back(), clock_, log_,
          worker::WorkerOptions{.name = way + std::to_string(i), .concurrency = kSlots}));
      workers.back()->handle(type, [&done](worker::Context&) {
        ++done;
        return worker::done({{"ok", true}});
      });
      threads.emplace_back([&worker = *workers.back()] { static_cast<void>(worker.run()); });
    }
    pass(tick - clock_.wall_now());
    const BootInstant begin = clock_.boot_now();
    while (done < kRuns && clock_.boot_now() < begin + seconds(120)) pass(milliseconds(2));
    for (auto& worker : workers) worker->stop();  // which waits until all is confirmed
    for (auto& thread : threads) thread.join();
    const double took = static_cast<double>((clock_.boot_now() - begin).count()) / 1e6;
    std::printf(
        "%s, %s: %d of %d runs from their tick to the last confirmation in %.2f s, %.0f/s\n",
        name_.c_str(), way.c_str(), done.load(), kRuns, took, done / took);
    std::fflush(stdout);
  }

 private:
  std::string address(const std::string& pattern) {
    for (int i = 0; i < 100; ++i) {
      const std::string log = server_.log();
      std::smatch found;
      if (std::regex_search(log, found, std::regex(pattern))) return found[1];
      pass(milliseconds(100));
    }
    std::printf("%s: the server does not listen:\n%s\n", name_.c_str(), server_.log().c_str());
    return "127.0.0.1:1";
  }

  std::unique_ptr<worker::Transport> transport(const std::string& way) {
    if (way == "REST") {
      auto rest = worker::RestTransport::make({.server = "http://" + http_});
      return std::make_unique<worker::RestTransport>(std::move(*rest));
    }
    const rpc::GrpcOptions options{.address = grpc_};
    auto made = way == "gRPC-calls" ? rpc::make_unary_transport(options)
                                    : rpc::make_stream_transport(options, clock_);
    return std::move(*made);
  }

  bool register_jobs(const std::string& type, Instant tick) {
    auto client = client::Client::make({.server = "http://" + http_});
    for (int first = 0; first < kRuns; first += 5'000) {
      Json jobs = Json::array();
      for (int i = first; i < first + 5'000; ++i) {
        jobs.push_back({{"job_name", type + "-" + std::to_string(i)},
                        {"job_type", type},
                        {"run_at", format_instant(tick)}});
      }
      if (const auto made = client->post("/api/v1/jobs:batch", {{"jobs", jobs}}); !made) {
        std::printf("%s: %s\n", name_.c_str(), made.error().what.c_str());
        return false;
      }
    }
    return true;
  }

  const std::string name_;
  const RealClock clock_;
  Logger log_;
  test::ChildProcess server_;
  std::string http_;
  std::string grpc_;
};

void measure(const std::string& name, const std::string& store) {
  Rig rig(name, store);
  for (const char* way : {"REST", "gRPC-calls", "gRPC-stream"}) rig.measure(way);
}

}  // namespace
}  // namespace belfry

int main() {
  using namespace belfry;
  test::PostgresServer server({"shared_buffers=512MB", "full_page_writes=on"});
  measure("PostgreSQL", server.fresh_database());
  const std::string file = "/tmp/belfry-ways-" + std::to_string(getpid()) + ".db";
  measure("SQLite", "sqlite:" + file);
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((file + suffix).c_str());
  return 0;
}
