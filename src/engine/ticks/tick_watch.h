#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "engine/loading/first_tick.h"
#include "engine/loading/partition_reader.h"
#include "store/decisions.h"
#include "store/overview.h"

#include <map>
#include <optional>

namespace belfry::engine {

// The oldest undecided tick of partitions that others own, or nobody.
//
// A cursor that rests says nothing: most partitions have nothing due for hours. So the first tick
// after it is worked out from the jobs, once for each place where the cursor rests; on a busy
// partition it moves on before anybody looks. A partition that this node owns is not its concern:
// the timetable knows better.
//
// Thread-safe; one caller at a time does the reading.
class TickWatch {
 public:
  struct World {
    store::DecisionStore& store;
    core::ZoneCatalog& zones;
    const Clock& clock;
  };
  explicit TickWatch(const World& world)
      : clock_(world.clock), reader_(world.store, world.zones), schedules_(world.zones) {}

  struct Oldest {
    Instant tick;
    PartitionNo partition;
  };
  struct Report {
    std::optional<Oldest> owned;  // by other nodes, which are alive
    std::optional<Oldest> orphaned;
    bool complete = true;  // false: some partitions are still to be read
  };
  // What is due by the overview's time. Reads for as long as `patience` lasts; the next call goes
  // on from there.
  Result<Report> look(const store::Overview& overview, const Incarnation& self, Duration patience);

 private:
  struct Seen {
    Instant cursor;
    store::JobsVersion version;
    std::optional<Instant> first;
  };

  // A cursor that is younger is about to be moved by whoever decides there.
  static constexpr Duration kRests = std::chrono::seconds(5);

  bool is_known(const store::Overview::Partition& partition) const BELFRY_REQUIRES(mutex_);
  Status read(const store::Overview::Partition& partition) BELFRY_REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  PartitionReader reader_ BELFRY_GUARDED_BY(mutex_);
  core::ScheduleCache schedules_ BELFRY_GUARDED_BY(mutex_);
  std::map<PartitionNo, Seen> seen_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::engine
