#pragma once

#include "base/time.h"

#include <cstdint>
#include <limits>

// The server counts microseconds from 2000, and keeps both ends of the range for the infinities.
namespace belfry::store::postgres {

inline constexpr std::int64_t kServerEpoch = 946'684'800'000'000;

constexpr std::int64_t to_server_micros(Instant instant) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (instant == Instant::max()) return Limits::max();
  if (instant.micros() < Limits::min() + kServerEpoch) return Limits::min();
  return instant.micros() - kServerEpoch;
}

constexpr Instant from_server_micros(std::int64_t micros) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (micros == Limits::min()) return Instant::min();
  if (micros > Limits::max() - kServerEpoch) return Instant::max();
  return Instant::from_micros(micros + kServerEpoch);
}

}  // namespace belfry::store::postgres
