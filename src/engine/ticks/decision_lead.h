#pragma once

#include "base/time.h"

#include <algorithm>
#include <chrono>

namespace belfry::engine {

// How long before a tick its decision is begun, so that it is written when the tick's time has
// come: as long as the last ones took, and never longer than the store has patience. One that took
// longer counts at once; it is forgotten slowly, because small batches and big ones take turns.
class DecisionLead {
 public:
  explicit DecisionLead(Duration longest) : longest_(longest), value_(std::min(kFirst, longest)) {}

  Duration value() const { return value_; }

  // A decision took so long, without the wait for its moment.
  void learn(Duration took) {
    value_ = std::min(std::max(took + kMargin, value_ - value_ / 16), longest_);
  }

 private:
  static constexpr Duration kFirst = std::chrono::milliseconds(5);
  static constexpr Duration kMargin = std::chrono::microseconds(500);

  Duration longest_;
  Duration value_;
};

}  // namespace belfry::engine
