#pragma once

#include "core/job.h"
#include "core/run.h"

#include <cstdint>
#include <optional>
#include <string>

namespace belfry::core {

// The region whose workers may have the runs of a job; none: those of any.
constexpr std::optional<RegionNo> region_for(JobId job, RunIn run_in) {
  return run_in == RunIn::kAny ? std::nullopt : std::optional(region_of(job));
}

// A run that is not over, as far as handing it out is concerned.
struct LiveRun {
  // In whose hands it is, and for how long unless they prolong it.
  struct Held {
    Fence fence;
    Instant until;  // the end of its lease or of its attempt's time, whichever comes first
    std::uint64_t claim = 0;  // the call that handed it out, by itself or with its decision
    Incarnation holder = {};  // the node that works on it itself, if one does
    friend bool operator==(const Held&, const Held&) = default;
  };

  RunRef run;
  TenantId tenant;
  std::string queue;               // core/queue.h
  std::string type;                // of the job; empty: as the queue is called
  std::optional<RegionNo> region;  // see region_for
  std::int32_t priority = 0;
  Instant due;                      // not handed out before
  bool exclusive = false;           // not while another run of its job is held
  std::optional<Instant> start_by;  // given up if nobody has started it by then
  std::optional<Held> held;

  friend bool operator==(const LiveRun&, const LiveRun&) = default;
};

}  // namespace belfry::core
