#pragma once

#include "base/result.h"
#include "base/rng.h"
#include "engine/dispatch/live_runs.h"
#include "engine/observer.h"
#include "store/runs.h"

#include <cstddef>

namespace belfry::engine {

// Ends the attempts whose worker has gone silent (lease over) or too slow (deadline over), or was a
// node that is gone, so that their runs go on: no run waits for a process that may never come back.
// Gives up runs that nobody has started in time. Each node does this for the partitions it owns.
//
// It races with the worker's own heartbeat and completion; the store applies an end only if the
// grant is still the same and still expired, so the loser of the race changes nothing.
class Reaper {
 public:
  Reaper(store::RunStore& store, LiveRuns& live, Observer& observer, Rng rng)
      : store_(store), live_(live), observer_(observer), rng_(std::move(rng)) {}

  struct Report {
    std::size_t found = 0;
    std::size_t ended = 0;
    std::size_t given_up = 0;
  };
  Result<Report> run_once();

 private:
  Status end_expired(Report& report);
  Status give_up_unstarted(Report& report);

  store::RunStore& store_;
  LiveRuns& live_;
  Observer& observer_;
  Rng rng_;
};

}  // namespace belfry::engine
