#pragma once

#include "core/schedule/schedule_cache.h"
#include "engine/loading/loaded_partition.h"

#include <optional>

namespace belfry::engine {

// The first tick of a partition that its cursor has not passed: undecided, past or future. Ticks
// of paused jobs count, for they get a fate like any other.
std::optional<Instant> first_tick_of(const LoadedPartition& partition,
                                     core::ScheduleCache& schedules);

}  // namespace belfry::engine
