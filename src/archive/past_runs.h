#pragma once

#include "base/json.h"
#include "base/result.h"
#include "base/time.h"

#include <functional>
#include <optional>
#include <string>

namespace belfry::archive {

struct PastFilter {
  std::string job = {};     // its name or id; empty: all
  std::string tenant = {};  // empty: all
  std::string state = {};   // empty: all
  // Of the moment a run ended: from <= finished_at < to.
  std::optional<Instant> from = {};
  std::optional<Instant> to = {};
};

// Calls `take` with the runs of an archive, those that ended last first, until it answers false. A
// run is given once, with its last end, however often it was archived: a day is archived again
// after a crash, and a run that was retried in between ends on another day.
// Holds the runs of one day, and the ids of all that it has seen.
Status read_past_runs(const std::string& folder, const PastFilter& filter,
                      const std::function<bool(const Json&)>& take);

}  // namespace belfry::archive
