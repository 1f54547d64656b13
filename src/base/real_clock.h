#pragma once

#include "base/clock.h"

namespace belfry {

// The clocks of this machine. The only code that asks the kernel for the time.
class RealClock final : public Clock {
 public:
  Instant wall_now() const override;
  BootInstant boot_now() const override;
};

}  // namespace belfry
