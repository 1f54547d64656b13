#pragma once

#include "base/result.h"
#include "store/calendars.h"
#include "store/jobs.h"

#include <cstddef>

namespace belfry::engine {

// Makes jobs follow the rules of a calendar that was changed: one by one, each by a change of its
// own that settles what was due under the old rules. The store knows which are left, so whoever
// leads next goes on where this one stops.
class CalendarFollower {
 public:
  CalendarFollower(store::CalendarStore& calendars, store::JobStore& jobs)
      : calendars_(calendars), jobs_(jobs) {}

  // How many were brought in line, of at most `most`; zero: all follow.
  Result<std::size_t> run_once(std::size_t most);

 private:
  store::CalendarStore& calendars_;
  store::JobStore& jobs_;
};

}  // namespace belfry::engine
