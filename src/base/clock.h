#pragma once

#include "base/time.h"

namespace belfry {

// Where "now" comes from. It is passed in, so that a test or a simulation can decide the time.
//
// Two clocks, because they answer different questions. The wall clock says which tick is due and is
// the same on every machine, but people and NTP set it, even backwards. The boot clock says how
// much time has passed (a lease, a timeout, a lag) and never jumps, but means nothing elsewhere.
class Clock {
 public:
  virtual ~Clock() = default;

  virtual Instant wall_now() const = 0;
  virtual BootInstant boot_now() const = 0;
};

}  // namespace belfry
