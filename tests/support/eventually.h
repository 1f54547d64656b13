#pragma once

#include "base/real_clock.h"

#include <poll.h>

#include <chrono>

namespace belfry::test {

// How long a test waits for what must happen: a limit for broken tests, never a measurement. It
// costs nothing when the thing happens, and a busy machine needs it.
inline constexpr Duration kPatience = std::chrono::seconds(60);

// True as soon as the condition holds. For what another thread or process does silently, some time
// after the test has seen its effect; if it can signal, an Event is better.
template <typename Condition>
bool eventually(const Condition& holds) {
  const RealClock clock;
  const BootInstant end = clock.boot_now() + kPatience;
  while (!holds()) {
    if (clock.boot_now() > end) return false;
    ::poll(nullptr, 0, 5);
  }
  return true;
}

}  // namespace belfry::test
