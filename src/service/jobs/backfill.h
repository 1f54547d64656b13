#pragma once

#include "core/schedule/schedule_cache.h"
#include "store/store.h"

#include <cstdint>
#include <vector>

namespace belfry::service {

struct BackfillRequest {
  JobId job;
  Instant from;  // both ends are included
  Instant to;
  bool dry_run = true;
  store::Author author = {};
};

// What became of each tick of [from, to], or would become of it.
struct BackfillReport {
  std::int64_t ticks = 0;
  std::vector<Tick> created;
  std::int64_t excluded = 0;   // by calendar or DST
  std::int64_t undecided = 0;  // left to the schedule, which has not reached them yet
  std::vector<Tick> existing;  // have a run already; to run one again, retry it
};

// Runs for the ticks of a job's schedule, as it is now, that have none: skipped ones, or from
// before the job was there. Asking twice makes nothing twice.
Result<BackfillReport> backfill(store::Store& store, core::ScheduleCache& schedules,
                                const BackfillRequest& request);

}  // namespace belfry::service
