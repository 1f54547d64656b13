#pragma once

#include "base/result.h"
#include "core/restore/missed_ticks.h"
#include "core/schedule/schedule_cache.h"
#include "store/store.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace belfry::engine {

// What has to be done to a store that was brought back from a backup, before the first node starts:
// what was promised since the backup is void, and the ticks since then get their fates. May be
// repeated after a crash, or after a lost reply: ticks that are decided stay so.
class Restorer {
 public:
  struct Stores {
    Stores(store::Store& whole)  // NOLINT(google-explicit-constructor): a store is all of them
        : ownership(whole), decisions(whole), chores(whole) {}
    store::OwnershipStore& ownership;
    store::DecisionStore& decisions;
    store::ChoreStore& chores;
  };

  Restorer(const Stores& stores, core::ZoneCatalog& zones, Incarnation self)
      : stores_(stores), schedules_(zones), self_(self) {}

  struct Report {
    Instant since;           // up to here all ticks were decided when the backup was made
    std::size_t runs = 0;    // that are made
    std::int64_t skips = 0;  // ticks that are skipped
    std::size_t broken = 0;  // jobs whose schedules cannot be read: left to the nodes
  };
  // kConflict while a node is alive.
  Result<Report> run(core::MissedTicks missed);

 private:
  struct Part;
  Status restore_region(const store::OwnershipStore::Node& node, core::MissedTicks missed,
                        Report& report);
  Result<Part> plan(const store::OwnedPartition& owned, Instant now, core::MissedTicks missed,
                    Report& report);

  Stores stores_;
  core::ScheduleCache schedules_;
  Incarnation self_;
};

}  // namespace belfry::engine
