#include "core/checkin.h"

#include <algorithm>
#include <chrono>

namespace belfry::core {

JobPolicies checkin_policies() {
  JobPolicies policies;
  policies.max_attempts = 1;
  policies.misfire = MisfirePolicy::kSkip;
  policies.start_within = std::chrono::hours(1);
  policies.timeout = std::chrono::hours(1);
  return policies;
}

Duration checkin_tolerance(Instant tick, std::optional<Instant> before,
                           std::optional<Instant> after) {
  Duration tolerance = std::chrono::minutes(1);
  if (before) tolerance = std::min(tolerance, (tick - *before) / 4);
  if (after) tolerance = std::min(tolerance, (*after - tick) / 4);
  return tolerance;
}

}  // namespace belfry::core
