#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace belfry::alert_day {

struct Plan {
  std::uint64_t seed = 1;
  int jobs = 1'000;
  int minutes = 24 * 60;
  std::string sabotage = "none";  // see saboteur.h
};

struct Outcome {
  std::vector<std::string> violations;  // the first few
  // How often things happened, so that a day on which nothing does is noticed.
  std::size_t runs = 0;
  std::size_t failures = 0;
  std::size_t looks = 0;       // that took effect
  std::size_t lost = 0;        // looks that failed, or whose watcher heard nothing
  std::size_t refused = 0;     // looks of watchers that had been frozen
  std::size_t news = 0;        // told: each beginning and each end
  std::size_t kept_back = 0;   // quiet ones that ended unheard
  std::size_t repeated = 0;    // messages that a receiver got more than once, under their id
  std::size_t stale_ends = 0;  // reports of couriers that had lost their leases
};

// A day of a cluster on the real store: jobs fail, wait, hang and are missed, users pause them and
// ask for silence, and three watchers and two couriers are killed and frozen and lose requests and
// replies. What receivers were told must be what the model expects, each once, and nothing else.
Outcome live_through(const Plan& plan);

}  // namespace belfry::alert_day
