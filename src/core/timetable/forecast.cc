#include "core/timetable/forecast.h"

#include "core/schedule/tick_walk.h"
#include "core/timetable/event_queue.h"

#include <algorithm>
#include <chrono>

namespace belfry::core {

void ForecastWindow::add_at(std::int64_t minute, std::int64_t runs) {
  counts_[static_cast<std::size_t>(minute - first_minute_)] += runs;
}

void ForecastWindow::add(const Rhythm& rhythm, std::int64_t jobs, Instant after, Instant until) {
  const Instant begin = Instant(std::chrono::minutes(first_minute_));
  const Instant end = begin + std::chrono::minutes(counts_.size());
  TickWalk walk(rhythm, std::max(after, begin - Duration(1)), std::min(until, end - Duration(1)));
  while (const auto stride = walk.next_stride()) {
    if (stride->exclusion != Exclusion::kNone) continue;
    const Instant starts = stride->first.instant() + stride->delay;
    if (starts < end) add_at(EventQueue::minute_of(starts), stride->count * jobs);
  }
}

}  // namespace belfry::core
