#pragma once

#include "core/job.h"

#include <cstdint>
#include <limits>

namespace belfry::core {

// The live_limit of a job without one.
inline constexpr std::int32_t kNoLimit = std::numeric_limits<std::int32_t>::max();

// What the overlap policy means for the runs of a job, in terms a store can check row by row.
struct OverlapTerms {
  std::int32_t live_limit = 1;  // a tick that finds this many live runs is skipped
  bool exclusive = true;        // no two runs of the job are handed out at the same time
  bool replaces = false;        // a new run cancels the live ones

  friend bool operator==(const OverlapTerms&, const OverlapTerms&) = default;
};

//   kForbid     one live run; a tick that comes while it lives is skipped
//   kQueueOne   one running and one waiting for it
//   kReplace    the new run cancels the old ones, and waits until they have let go
//   kAllow      up to max_concurrent at once
OverlapTerms overlap_terms(const JobPolicies& policies);

// Whether runs that wait in line (catching up, backfill) still start when the job gets this
// status. Somebody who pauses or ends a job does not want an hour of its past; runs that have
// started go on.
constexpr bool keeps_line(JobStatus status) {
  return status == JobStatus::kActive || status == JobStatus::kCompleted;
}

}  // namespace belfry::core
