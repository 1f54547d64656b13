#pragma once

#include "base/result.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace belfry::core {

// A past tick somebody wants a run for, and how long after the asking it becomes due.
struct BackfillTick {
  Tick tick;
  Duration wait{};
  friend bool operator==(const BackfillTick&, const BackfillTick&) = default;
};

struct BackfillPlan {
  std::vector<BackfillTick> ticks;  // ascending
  std::int64_t excluded = 0;        // by calendar or DST: no run is wanted for those
};

inline constexpr std::int64_t kMostBackfillTicks = 10'000;
inline constexpr Duration kLongestBackfillGap = std::chrono::minutes(1);

// The ticks of a schedule in [from, to], spread as a catch-up is, but no more than
// kLongestBackfillGap apart: somebody asked for them. kInvalid, naming the limit, where there are
// more than kMostBackfillTicks.
Result<BackfillPlan> plan_backfill(const Schedule& schedule, Instant from, Instant to);

}  // namespace belfry::core
