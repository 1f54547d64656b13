#pragma once

#include "base/ids.h"
#include "base/time.h"
#include "core/job.h"

#include <vector>

namespace belfry::rehearse {

// The tenant that is called `default`: `H` and jitter are drawn as they are for it.
inline constexpr TenantId kTenant(1);

struct PlannedJob {
  core::JobDefinition definition;
  Duration takes{};  // each of its runs
};

// Nobody decides in [from, to).
struct Outage {
  Instant from;
  Instant to;
  friend bool operator==(const Outage&, const Outage&) = default;
};

// What is rehearsed: ticks in [from, to).
struct Plan {
  std::vector<PlannedJob> jobs;
  Instant from;
  Instant to;
  std::vector<Outage> outages;  // ascending, and none touches another
};

}  // namespace belfry::rehearse
