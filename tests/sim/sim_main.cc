// The simulation: whole clusters in one thread, from seeds. `./dev sim` runs it.
#include "tests/sim/saboteur.h"
#include "tests/sim/world.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

namespace belfry::sim {
namespace {

struct Settings {
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 20;
  bool all_faults = false;  // instead of those the seed draws
  bool joins = false;       // only nodes that leave and join, in every seed
  bool verbose = false;
};

Plan plan_of(std::uint64_t seed, bool all_faults) {
  Plan plan = Plan::draw(seed);
  if (!all_faults) return plan;
  plan.kills = plan.freezes = plan.outages = plan.lost_replies = plan.edits = true;
  plan.bad_workers = plan.failovers = true;
  return plan;
}

void print_counts(const Outcome& outcome) {
  for (const auto& [event, count] : outcome.counts) {
    std::printf("    %-24s %zu\n", event.c_str(), count);
  }
}

int run(const Settings& settings) {
  std::size_t failed = 0;
  std::size_t ticks = 0;
  for (std::uint64_t i = 0; i < settings.seeds; ++i) {
    const std::uint64_t seed = settings.first_seed + i;
    const Plan plan =
        settings.joins ? Plan::joins_alone(seed, "none") : plan_of(seed, settings.all_faults);
    const Outcome outcome = simulate(plan);
    ticks += outcome.ticks;
    if (settings.verbose) {
      std::printf("  %s: %zu ticks, trace %016llx\n", plan.describe().c_str(), outcome.ticks,
                  static_cast<unsigned long long>(outcome.trace));
      print_counts(outcome);
    }
    // Every tenth seed twice: the same seed is the same world.
    if (i % 10 == 0) {
      const Outcome again = simulate(plan);
      ticks += again.ticks;
      if (again.trace != outcome.trace) {
        std::printf("  %s: NOT DETERMINISTIC\n", plan.describe().c_str());
        ++failed;
      }
    }
    if (outcome.violations.empty()) continue;
    ++failed;
    std::printf("  %s\n", plan.describe().c_str());
    for (const std::string& violation : outcome.violations)
      std::printf("    %s\n", violation.c_str());
    std::printf("    repeat with: ./dev sim --seed %llu%s\n",
                static_cast<unsigned long long>(plan.seed),
                settings.joins        ? " --joins"
                : settings.all_faults ? " --all-faults"
                                      : "");
  }
  // Processor time, not wall time: others may be using this machine.
  const double minutes = static_cast<double>(std::clock()) / CLOCKS_PER_SEC / 60;
  std::printf(
      "%llu seeds, %zu ticks checked, %.0f a minute of one core: %zu passed, %zu failed\n",
      static_cast<unsigned long long>(settings.seeds), ticks, static_cast<double>(ticks) / minutes,
      static_cast<std::size_t>(settings.seeds) - std::min<std::size_t>(failed, settings.seeds),
      failed);
  return failed == 0 ? 0 : 1;
}

// Every sabotage must be noticed within some seeds, with all faults on. The first seed shows most
// of them; those that need a failover at an unlucky moment take a few dozen.
int run_sabotages(std::string_view only) {
  constexpr std::uint64_t kMostSeeds = 80;
  std::size_t tried = 0;
  std::size_t missed = 0;
  for (const Saboteur::Trick& trick : Saboteur::tricks()) {
    if (!only.empty() && trick.name != only) continue;
    ++tried;
    std::uint64_t seed = 1;
    std::string how;
    for (; seed <= kMostSeeds && how.empty(); ++seed) {
      Plan plan = plan_of(seed, true);
      plan.sabotage = trick.name;
      if (trick.among_the_living) {
        plan.kills = plan.freezes = plan.outages = plan.failovers = false;
      }
      if (trick.at_joins) plan = Plan::joins_alone(seed, plan.sabotage);
      const Outcome outcome = simulate(plan);
      if (!outcome.violations.empty()) how = outcome.violations.front();
    }
    if (how.empty()) ++missed;
    std::printf("  %-16s after %2llu seeds: %s\n", std::string(trick.name).c_str(),
                static_cast<unsigned long long>(seed - 1),
                how.empty() ? "NOT NOTICED" : how.c_str());
    std::fflush(stdout);
  }
  std::printf("sabotages: %zu passed, %zu failed\n", tried - missed, missed);
  return missed == 0 && tried > 0 ? 0 : 1;
}

}  // namespace
}  // namespace belfry::sim

int main(int argc, char** argv) {
  belfry::sim::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
    if (word == "--seeds") {
      settings.seeds = number();
    } else if (word == "--first") {
      settings.first_seed = number();
    } else if (word == "--seed") {
      settings.first_seed = number();
      settings.seeds = 1;
      settings.verbose = true;
    } else if (word == "--all-faults") {
      settings.all_faults = true;
    } else if (word == "--joins") {
      settings.joins = true;
    } else if (word == "--sabotages") {
      return belfry::sim::run_sabotages("");
    } else if (word == "--sabotage") {
      return belfry::sim::run_sabotages(i + 1 < argc ? argv[i + 1] : "?");
    } else if (word == "-v") {
      settings.verbose = true;
    } else {
      std::fprintf(stderr,
                   "usage: sim [--seeds N] [--first SEED] [--seed SEED] [--all-faults] "
                   "[--joins] [--sabotages] [--sabotage NAME] [-v]\n");
      return 2;
    }
  }
  return belfry::sim::run(settings);
}
