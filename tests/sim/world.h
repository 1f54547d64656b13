#pragma once

#include "base/log/log.h"
#include "base/rng.h"
#include "core/schedule/zone_catalog.h"
#include "engine/node.h"
#include "store/store.h"
#include "tests/sim/checker.h"
#include "tests/sim/loop.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace belfry::sim {

// What a seed decides: how much of everything, and which faults are on. Each fault is drawn on or
// off, so that some seeds have one fault alone and some have all of them.
struct Plan {
  std::uint64_t seed = 1;
  Duration storm = std::chrono::minutes(6);  // with faults
  Duration calm = std::chrono::seconds(90);  // all healed: everything must be in order after it
  int nodes = 3;
  int workers = 3;
  int jobs = 60;
  bool kills = false;
  bool freezes = false;
  bool outages = false;
  bool lost_replies = false;
  bool slow_store = false;
  bool clock_rates = false;
  bool db_steps = false;
  bool failovers = false;
  bool edits = false;
  bool bad_workers = false;
  bool type_limit = false;        // of checker.h
  bool joins = false;             // nodes leave and join; alone, so that no tick may be late
  std::string sabotage = "none";  // see saboteur.h

  static Plan draw(std::uint64_t seed);
  static Plan joins_alone(std::uint64_t seed, std::string sabotage);
  std::string describe() const;
};

struct Outcome {
  std::vector<std::string> violations;
  std::size_t ticks = 0;    // checked by the oracle
  std::uint64_t trace = 0;  // a hash of everything that happened: same seed, same trace
  std::map<std::string, std::size_t> counts;  // how often things happened, so that a fault that
                                              // never strikes is noticed
};

// Runs one world to its end.
Outcome simulate(const Plan& plan);

}  // namespace belfry::sim
