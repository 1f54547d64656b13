#pragma once

#include "core/cron/warnings.h"

#include <cstdint>
#include <vector>

namespace belfry::core {

// The part of warnings_for about clock changes: dst_gap, dst_overlap, dst_interval.
std::vector<Warning> clock_warnings(const CronRule& rule, bool gap_skips, std::int64_t from);

// The same for every clock change after `from` and through `through`, in the order of time.
std::vector<Warning> all_clock_warnings(const CronRule& rule, bool gap_skips, std::int64_t from,
                                        std::int64_t through);

}  // namespace belfry::core
