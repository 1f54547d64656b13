#include "bench/plans/figures.h"
#include "bench/plans/measures.h"

#include <algorithm>

namespace belfry::bench {
namespace {

constexpr std::size_t kAtATime = 1'000;  // a second's worth
constexpr std::size_t kClaimed = 100;
constexpr double kGoalMillis = 20;

store::AttemptEnd success(const store::ClaimedRun& run) {
  return {.grant = {run.run, run.fence},
          .outcome = core::AttemptOutcome::kSucceeded,
          .next = core::RunState::kSucceeded,
          .wait = {},
          .result = "",
          .error = ""};
}

// Decides some runs, claims them and completes them.
void pass_through(World& world, Figures& decides, Figures& claims, Figures& ends) {
  store::Store& store = world.store();
  decides.time([&] { return world.decide(kAtATime).runs.size(); });
  for (std::size_t i = 0; i < kAtATime / kClaimed; ++i) {
    std::vector<store::AttemptEnd> finished;
    claims.time([&] {
      const auto runs = world.claim(kClaimed);
      for (const auto& run : runs) finished.push_back(success(run));
      return runs.size();
    });
    ends.time([&] { return must(store.end_attempts(finished)).size(); });
  }
}

// Works off the backlog, which is another measurement.
void drain(World& world) {
  store::Store& store = world.store();
  for (;;) {
    std::vector<store::AttemptEnd> finished;
    for (const auto& run : world.claim(1'000)) {
      finished.push_back(success(run));
    }
    if (finished.empty()) return;
    must(store.end_attempts(finished));
  }
}

}  // namespace

bool measure_old_snapshot(World& world, std::size_t runs) {
  drain(world);
  const auto reader = world.connect();
  must(
      reader->run_script("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; "
                         "begin isolation level repeatable read; select count(*) from tenants",
                         store::postgres::Effect::kNone, world.deadline()));
  bool met = true;
  for (std::size_t done = 0; done < runs;) {
    Figures decides(world);
    Figures claims(world);
    Figures ends(world);
    const std::size_t until = std::min(runs, done + std::max<std::size_t>(runs / 5, kAtATime));
    for (; done < until; done += kAtATime) pass_through(world, decides, claims, ends);
    std::printf("with a transaction open while %zu runs came and went:\n", done);
    decides.print("  decide 1,000");
    claims.print("  claim 100");
    ends.print("  end_attempts 100");
    met = met && claims.millis(0.99) <= kGoalMillis;
  }
  std::printf("  claim p99 with an old transaction, goal <= 20 ms  %s\n", met ? "met" : "MISSED");
  must(reader->run_script("rollback", store::postgres::Effect::kNone, world.deadline()));
  return met;
}

}  // namespace belfry::bench
