#pragma once

#include "base/clock.h"

#include <atomic>
#include <cstdint>

namespace belfry {

// A clock that stands still until it is told to move: for tests and the simulator. The wall and
// boot clocks move independently, so a test can play a wall clock that is stepped or drifts. Other
// threads may read while one moves it.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant wall = Instant(), BootInstant boot = BootInstant())
      : wall_micros_(wall.micros()), boot_micros_(boot.micros()) {}

  Instant wall_now() const override { return Instant::from_micros(wall_micros_.load()); }
  BootInstant boot_now() const override { return BootInstant::from_micros(boot_micros_.load()); }

  // Somebody sets the date: no time passes.
  void set_wall(Instant wall) { wall_micros_.store(wall.micros()); }
  void set_boot(BootInstant boot) { boot_micros_.store(boot.micros()); }

  // Time passes, on both clocks.
  void advance(Duration duration) {
    wall_micros_.fetch_add(duration.count());
    boot_micros_.fetch_add(duration.count());
  }

 private:
  std::atomic<std::int64_t> wall_micros_;
  std::atomic<std::int64_t> boot_micros_;
};

}  // namespace belfry
