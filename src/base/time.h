#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

// Three kinds of time that cannot be mixed up: Instant (UTC, what a clock on the wall shows), Tick
// (the instant a schedule names; never "now") and BootInstant (runs on when the wall clock is set).
// Civil time (a date and a time of day in a zone) is a fourth, in core/schedule/civil.h.
namespace belfry {

using Duration = std::chrono::microseconds;

// A point on one clock, in whole microseconds: PostgreSQL's resolution, so a round trip is exact.
template <typename ClockTag>
class TimePoint {
 public:
  constexpr TimePoint() = default;
  constexpr explicit TimePoint(Duration since_origin) : since_origin_(since_origin) {}

  static constexpr TimePoint from_micros(std::int64_t micros) {
    return TimePoint(Duration(micros));
  }
  static constexpr TimePoint min() { return TimePoint(Duration::min()); }
  static constexpr TimePoint max() { return TimePoint(Duration::max()); }

  constexpr Duration since_origin() const { return since_origin_; }
  constexpr std::int64_t micros() const { return since_origin_.count(); }

  friend constexpr auto operator<=>(const TimePoint&, const TimePoint&) = default;
  friend constexpr TimePoint operator+(TimePoint t, Duration d) {
    return TimePoint(t.since_origin_ + d);
  }
  friend constexpr TimePoint operator-(TimePoint t, Duration d) {
    return TimePoint(t.since_origin_ - d);
  }
  friend constexpr Duration operator-(TimePoint a, TimePoint b) {
    return a.since_origin_ - b.since_origin_;
  }

 private:
  Duration since_origin_{};
};

// UTC, microseconds since 1970-01-01 (no leap seconds, as everywhere in Unix).
using Instant = TimePoint<struct UtcTag>;

// CLOCK_BOOTTIME: counts through suspend, never set by anybody, means nothing on another machine.
using BootInstant = TimePoint<struct BootTag>;

constexpr Instant from_unix_seconds(std::int64_t seconds) {
  return Instant(std::chrono::seconds(seconds));
}

// The whole second at or before an instant, also before 1970.
constexpr std::int64_t floor_unix_seconds(Instant t) {
  return std::chrono::floor<std::chrono::seconds>(t.since_origin()).count();
}

// An instant at which a schedule says "now". (job, Tick) names a run for ever, so nothing but a
// schedule makes one, and comparing it with "now" takes a visible .instant().
class Tick {
 public:
  constexpr Tick() = default;
  constexpr explicit Tick(Instant instant) : instant_(instant) {}

  constexpr Instant instant() const { return instant_; }

  friend constexpr auto operator<=>(const Tick&, const Tick&) = default;

 private:
  Instant instant_;
};

}  // namespace belfry
