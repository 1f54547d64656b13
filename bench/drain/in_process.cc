// A backlog on SQLite, worked off inside the process: the engine and the store, without a network.
//
// usage: drain_in_process RUNS WORKERS SLOTS FILE     (FILE is made, and left behind)
// The answer is one line of JSON.
#include "base/real_clock.h"
#include "bench/callback_worker.h"
#include "engine/runner.h"
#include "store/sqlite/sqlite_store.h"

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace belfry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t kBatch = 10'000;

void pass(Duration time) {
  poll(nullptr, 0, static_cast<int>(std::chrono::duration_cast<milliseconds>(time).count()));
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

class Rig {
 public:
  explicit Rig(std::unique_ptr<store::Store> store)
      : store_(std::move(store)),
        log_(clock_, stderr_sink(), {.least = LogLevel::kWarn}),
        node_({*store_, clock_, zones_, log_, observer_}, {}, Rng(7)),
        janitor_(*store_, node_.self(), {}),
        runner_(node_, janitor_, {}, log_) {
    runner_.start();
    pass(seconds(3));  // all partitions taken and loaded
  }

  // Jobs that all tick once, and time enough for their ticks to be decided.
  bool pile_up(std::size_t count) {
    const Instant at = *store_->clock() + seconds(5 + count / 20'000);
    for (std::size_t first = 0; first < count; first += kBatch) {
      std::vector<store::JobStore::NewJob> jobs;
      for (std::size_t i = first; i < std::min(count, first + kBatch); ++i) {
        core::JobDefinition job;
        job.name = "backlog-" + std::to_string(i);
        job.schedule.type = core::ScheduleSpec::Type::kOnce;
        job.schedule.run_at = at;
        jobs.push_back({TenantId(1), RegionNo(0), job});
      }
      if (const auto made = store_->create_jobs(jobs); !made) {
        std::fprintf(stderr, "%s\n", to_string(made.error()).c_str());
        return false;
      }
    }
    pass(std::max(at - *store_->clock(), Duration(0)) + seconds(3 + count / 20'000));
    return true;
  }

  void drain(std::size_t count, int workers, std::size_t slots) {
    std::atomic<std::size_t> done = 0;
    const double cpu = cpu_seconds();
    const BootInstant begin = clock_.boot_now();
    double took = 0;
    {
      std::vector<std::unique_ptr<CallbackWorker>> all;
      for (int i = 0; i < workers; ++i) {
        all.push_back(std::make_unique<CallbackWorker>(node_.dispatcher(), clock_, done,
                                                       "worker-" + std::to_string(i), slots));
      }
      while (done < count && clock_.boot_now() < begin + seconds(300)) pass(milliseconds(1));
      took = static_cast<double>((clock_.boot_now() - begin).count()) / 1e6;
    }
    std::printf(R"({"done":%zu,"seconds":%.4f,"rate":%.1f,"cpu":%.3f})"
                "\n",
                done.load(), took, static_cast<double>(done) / took, cpu_seconds() - cpu);
  }

 private:
  RealClock clock_;
  std::unique_ptr<store::Store> store_;
  core::ZoneCatalog zones_;
  Logger log_;
  engine::Observer observer_;
  engine::Node node_;
  engine::Janitor janitor_;
  engine::Runner runner_;
};

int run(std::size_t count, int workers, std::size_t slots, const std::string& file) {
  const RealClock clock;
  auto sqlite = store::open_sqlite({.path = file, .now = [&] { return clock.wall_now(); }});
  if (!sqlite) {
    std::fprintf(stderr, "%s\n", to_string(sqlite.error()).c_str());
    return 1;
  }
  Rig rig(std::move(*sqlite));
  if (!rig.pile_up(count)) return 1;
  rig.drain(count, workers, slots);
  return 0;
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s RUNS WORKERS SLOTS FILE\n", argv[0]);
    return 2;
  }
  return belfry::run(std::strtoul(argv[1], nullptr, 10), std::atoi(argv[2]),
                     std::strtoul(argv[3], nullptr, 10), argv[4]);
}
