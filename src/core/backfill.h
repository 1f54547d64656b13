#pragma once

#include "base/result.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace belfry::core {

// A past tick that gets a run, and how long after the request the run becomes due.
struct BackfillTick {
  Tick tick;
  Duration wait{};
  friend bool operator==(const BackfillTick&, const BackfillTick&) = default;
};

struct BackfillPlan {
  std::vector<BackfillTick> ticks;  // ascending
  std::int64_t excluded = 0;        // by calendar or DST: they get no run
};

inline constexpr std::int64_t kMostBackfillTicks = 10'000;
inline constexpr Duration kLongestBackfillGap = std::chrono::minutes(1);

// The ticks of a schedule in [from, to], spread like a catch-up, but at most
// kLongestBackfillGap apart, because somebody asked for them. kInvalid, naming the limit, when
// there are more than kMostBackfillTicks.
Result<BackfillPlan> plan_backfill(const Schedule& schedule, Instant from, Instant to);

}  // namespace belfry::core
