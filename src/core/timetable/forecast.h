#pragma once

#include "base/time.h"
#include "core/schedule/rhythm.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace belfry::core {

// Counts runs per minute over a window of minutes.
class ForecastWindow {
 public:
  ForecastWindow(std::int64_t first_minute, std::size_t minutes)
      : first_minute_(first_minute), counts_(minutes) {}

  std::int64_t first_minute() const { return first_minute_; }

  // Adds the ticks of a rhythm in (after, until], for `jobs` jobs. Excluded ticks do not count.
  void add(const Rhythm& rhythm, std::int64_t jobs, Instant after, Instant until);
  void add_at(std::int64_t minute, std::int64_t runs);

  std::vector<std::uint64_t> take() const { return {counts_.begin(), counts_.end()}; }

 private:
  std::int64_t first_minute_;
  std::vector<std::int64_t> counts_;
};

}  // namespace belfry::core
