#pragma once

#include "base/clock.h"
#include "base/time.h"

#include <deque>
#include <optional>

namespace belfry::engine {

// The database's clock, computed from this machine's boot clock. So waking at a tick needs no
// polling, and this machine's wall clock, which may be hours wrong, is never used for a decision.
//
// now() is a lower bound: a reading taken from the database is at least as old as its answer, so
// "reading + time since the answer" is never ahead of the database while both clocks run alike.
// The best of the recent readings counts, as far as no later one contradicts it; old ones are
// forgotten, so drift does not add up.
//
// A step of the database's clock is not believed at once. Backwards it is followed (the lower bound
// comes down); forwards, now() stays with the old estimate until two minutes of readings have
// agreed with each other, and stepped() raises the alarm. So a clock that was set ahead and is put
// right within that time fires nothing early. Where one was behind and is put right, ticks are late
// for these two minutes.
class DbClock {
 public:
  explicit DbClock(const Clock& clock) : clock_(clock) {}

  // The database answered `reading` to a question sent at `asked` and answered at `answered`.
  void observe(BootInstant asked, Instant reading, BootInstant answered);

  // None before the first reading.
  std::optional<Instant> now() const;

  bool stepped() const { return suspicion_.has_value(); }

 private:
  using Offset = Duration;  // database minus boot clock

  Instant at(Offset offset) const { return Instant((clock_.boot_now() + offset).since_origin()); }
  void believe(Offset offset);
  bool confirms(Offset offset, BootInstant answered);

  const Clock& clock_;
  std::deque<Offset> readings_;  // the recent ones; the largest is the tightest bound
  // A step forwards that is not believed yet: when it was first seen, and what was said last.
  struct Suspicion {
    BootInstant since;
    Offset last;
  };
  std::optional<Suspicion> suspicion_;
};

}  // namespace belfry::engine
