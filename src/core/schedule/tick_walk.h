#pragma once

#include "base/time.h"
#include "core/schedule/rhythm.h"

#include <cstdint>
#include <optional>

namespace belfry::core {

// Neighbouring ticks of a rhythm with one and the same exclusion and delay.
struct TickRange {
  Tick first;
  Tick last;
  std::int64_t count = 0;
  Exclusion exclusion = Exclusion::kNone;
  Duration delay{};  // Occurrence; where there is one, of a single tick

  friend bool operator==(const TickRange&, const TickRange&) = default;
};

// Walks the ticks of a rhythm in (after, through] in long strides: a minute of a per-second
// schedule is one step, so a month of them takes a millisecond.
class TickWalk {
 public:
  TickWalk(const Rhythm& rhythm, Instant after, Instant through)
      : rhythm_(rhythm), at_(after), through_(through) {}

  // The next stride: ticks of one minute and one exclusion. Nothing at the end.
  std::optional<TickRange> next_stride();

  // The next maximal range of ticks with the same exclusion and delay.
  std::optional<TickRange> next_range();

 private:
  const Rhythm& rhythm_;
  Instant at_;
  Instant through_;
  std::optional<TickRange> ahead_;  // a stride read too far by next_range
};

}  // namespace belfry::core
