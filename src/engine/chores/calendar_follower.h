#pragma once

#include "base/result.h"
#include "store/calendars.h"
#include "store/jobs.h"

#include <cstddef>

namespace belfry::engine {

// Makes jobs follow the rules of a calendar that was changed: one by one, each by a change of its
// own that settles what was due under the old rules. The store knows which are left, so the next
// leader goes on where this one stops.
class CalendarFollower {
 public:
  CalendarFollower(store::CalendarStore& calendars, store::JobStore& jobs)
      : calendars_(calendars), jobs_(jobs) {}

  // Brings at most `most` jobs up to date and returns how many it was; zero: all jobs are.
  Result<std::size_t> run_once(std::size_t most);

 private:
  store::CalendarStore& calendars_;
  store::JobStore& jobs_;
};

}  // namespace belfry::engine
