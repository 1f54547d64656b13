#include "engine/db_clock.h"

#include <algorithm>
#include <cstddef>

namespace belfry::engine {
namespace {

constexpr std::size_t kReadings = 8;
constexpr Duration kStep = std::chrono::seconds(1);
// By time, not by the number of readings: a node may ask more often just because of the step, which
// ends the leases of others.
constexpr Duration kConfirmation = std::chrono::minutes(2);

}  // namespace

void DbClock::observe(BootInstant asked, Instant reading, BootInstant answered) {
  const Offset offset = reading.since_origin() - answered.since_origin();
  const Duration round_trip = answered - asked;
  if (readings_.empty()) return believe(offset);
  const Offset known = *std::max_element(readings_.begin(), readings_.end());
  // A reading can be low by as much as its answer took; only what goes beyond that is a step.
  if (offset + round_trip < known - kStep) {
    readings_.clear();  // backwards: at once, because firing late is the lesser evil
    suspicion_.reset();
    return believe(offset);
  }
  if (offset > known + kStep) {
    if (!confirms(offset, answered)) return;
    readings_.clear();
  }
  suspicion_.reset();
  // The database read its clock after we had asked: nobody who says more is right any more. So a
  // boot clock that runs fast does not run away with an old reading.
  for (Offset& earlier : readings_) {
    earlier = std::min(earlier, offset + round_trip);
  }
  believe(offset);
}

// Whether a step forwards has been said for long enough. Each reading is compared with the one
// before: where the clocks run differently, the first and the last may be far apart.
bool DbClock::confirms(Offset offset, BootInstant answered) {
  if (!suspicion_ || std::chrono::abs(offset - suspicion_->last) > kStep) {
    suspicion_ = {.since = answered, .last = offset};
  }
  suspicion_->last = offset;
  return answered - suspicion_->since >= kConfirmation;
}

void DbClock::believe(Offset offset) {
  readings_.push_back(offset);
  if (readings_.size() > kReadings) readings_.pop_front();
}

std::optional<Instant> DbClock::now() const {
  if (readings_.empty()) return std::nullopt;
  return at(*std::max_element(readings_.begin(), readings_.end()));
}

}  // namespace belfry::engine
