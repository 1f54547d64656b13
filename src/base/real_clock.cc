#include "base/real_clock.h"

#include "base/assert.h"

#include <time.h>

namespace belfry {
namespace {

Duration read_clock(clockid_t id) {
  timespec now{};
  // Fails only for a clock the kernel does not know; both are older than any kernel we run on.
  BELFRY_ASSERT(clock_gettime(id, &now) == 0);
  return std::chrono::floor<Duration>(std::chrono::seconds(now.tv_sec) +
                                      std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

Instant RealClock::wall_now() const {
  return Instant(read_clock(CLOCK_REALTIME));
}

BootInstant RealClock::boot_now() const {
  return BootInstant(read_clock(CLOCK_BOOTTIME));
}

}  // namespace belfry
