#pragma once

#include "engine/schedules.h"
#include "store/store.h"

#include <cstddef>

namespace belfry::engine {

// Makes jobs follow the rules of a calendar that was changed: one by one, each by a change of its
// own that settles what was due under the old rules. The store knows which are left, so whoever
// leads next goes on where this one stops.
class CalendarFollower {
 public:
  CalendarFollower(store::Store& store, core::ZoneCatalog& zones, Duration tolerance)
      : store_(store), schedules_(zones), tolerance_(tolerance) {}

  // How many were brought in line, of at most `most`; zero: all follow.
  Result<std::size_t> run_once(std::size_t most);

 private:
  store::Store& store_;
  Schedules schedules_;
  Duration tolerance_;
};

}  // namespace belfry::engine
