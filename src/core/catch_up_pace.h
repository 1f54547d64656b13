#pragma once

#include "base/time.h"

#include <algorithm>
#include <optional>

namespace belfry::core {

// When missed ticks run, if they run at all: the first at once, the others as far apart as they
// were. So a job that catches up beside its present ticks starts at most twice as many runs as it
// normally does. `longest_gap` shortens the pauses of a slow schedule, for somebody who asked for
// past ticks and does not want to wait for them.
class CatchUpPace {
 public:
  explicit CatchUpPace(Instant now, Duration longest_gap = Duration::max())
      : due_(now), longest_gap_(longest_gap) {}

  // Call it for each tick, in ascending order.
  Instant due(Tick tick) {
    if (last_) due_ = due_ + std::min(tick.instant() - last_->instant(), longest_gap_);
    last_ = tick;
    return due_;
  }

 private:
  Instant due_;
  Duration longest_gap_;
  std::optional<Tick> last_;
};

}  // namespace belfry::core
