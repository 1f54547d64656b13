#pragma once

#include "base/time.h"

#include <algorithm>
#include <optional>

namespace belfry::core {

// When ticks of the past run, if they run at all: the first at once, the others as far apart as
// they were. The missed time passes again beside the present, so that a job catching up starts at
// most twice as many runs as it normally does. `longest_gap` shortens the rests of a slow schedule,
// where somebody asked for the past and does not want to wait for it.
class CatchUpPace {
 public:
  explicit CatchUpPace(Instant now, Duration longest_gap = Duration::max())
      : due_(now), longest_gap_(longest_gap) {}

  // For each tick in turn, ascending.
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
