#pragma once

#include "core/misfire.h"

#include <cstdint>

namespace belfry::core {

// What becomes of the ticks between a backup and its restore. Nobody knows what became of them
// before, so whoever restores has to say; the jobs' own misfire policies are for outages.
enum class MissedTicks : std::uint8_t {
  kSkip,    // none runs: they ran before the restore, or need not
  kLatest,  // of each job the newest
  kAll,     // each, one after the other, but no more than the newest max_missed_firings
};

// Decides the ticks of a job in a stretch, which ends now. What does not run is skipped as
// `restored`; paused ticks and excluded ones are skipped for their own reasons, as always.
Fates decide_restored(const JobFacts& job, const Schedule& schedule, const DueStretch& stretch,
                      MissedTicks missed);

}  // namespace belfry::core
