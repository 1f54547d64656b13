#pragma once

#include "base/time.h"
#include "core/misfire.h"
#include "core/schedule/schedule_cache.h"

// What a change of a job has to decide itself, in its own transaction: ticks that nobody else will
// decide, for the partition's owner goes by the new definition as soon as the change is written.
namespace belfry::core {

// Ticks of the definition that ends with the change: those that are due at `now` but were not
// decided yet. `decided_through` is the cursor of the job's partition. None of a job that cannot
// tick, nor of one whose schedule no longer compiles: its owner could not tell them either.
Fates settle_end(const JobFacts& before, Instant decided_through, Instant now,
                 ScheduleCache& schedules);

// Of the definition that begins with the change, as that of a new job does: its one instant, if it
// was over before the definition took effect. Ticks of a cron expression or an interval begin after
// that, so of those there are none.
Fates settle_start(const JobFacts& after, Instant now, ScheduleCache& schedules);

}  // namespace belfry::core
