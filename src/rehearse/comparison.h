#pragma once

#include "core/schedule/zone_catalog.h"
#include "rehearse/plan.h"
#include "rehearse/summary.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What differs between two sets of definitions, played in the same time.
namespace belfry::rehearse {

// A rehearsal, and the ticks that became runs which began.
struct Played {
  Summary summary;
  std::vector<std::vector<Instant>> fired;  // ticks, by job as in the plan; ascending
};
Result<Played> play(const Plan& plan, core::ZoneCatalog& zones);

struct JobChange {
  enum class Kind : std::uint8_t { kNew, kGone, kChanged };
  Kind kind{};
  std::string name;
  std::string zone;  // of the newer definition
  Tally before;
  Tally after;
  std::size_t gained = 0;  // ticks that fire now and did not before
  std::size_t lost = 0;
  std::vector<Instant> some_gained;  // the first of them
  std::vector<Instant> some_lost;
};

// Jobs in which a fire or a skip differs, by name.
inline constexpr std::size_t kExamples = 3;
std::vector<JobChange> changes_between(const Plan& before, const Played& old, const Plan& after,
                                       const Played& now);

}  // namespace belfry::rehearse
