#pragma once

#include "base/time.h"
#include "core/job.h"

#include <optional>

// The rules of check-ins: runs whose work is done elsewhere, and which only hear of it.
namespace belfry::core {

// What is usual for such a job. Silence is a failure after an hour; nobody here tries again; and a
// tick that was decided late is no expectation, because its report may have found nobody.
JobPolicies checkin_policies();

// How far from its tick a report may come and still belong to it, although the tick is not decided:
// a minute, but at most a quarter of the time between ticks. `tick` is the one before or after, the
// others are its neighbours.
Duration checkin_tolerance(Instant tick, std::optional<Instant> before,
                           std::optional<Instant> after);

}  // namespace belfry::core
