#include "engine/db_clock.h"

#include <algorithm>
#include <cstddef>

namespace belfry::engine {
namespace {

constexpr std::size_t kReadings = 8;
constexpr std::size_t kConfirmations = 10;  // readings that agree before a step is believed
constexpr Duration kStep = std::chrono::seconds(1);

}  // namespace

void DbClock::observe(BootInstant asked, Instant reading, BootInstant answered) {
  const Offset offset = reading.since_origin() - answered.since_origin();
  const Duration round_trip = answered - asked;
  if (readings_.empty()) return believe(offset);
  const Offset known = *std::max_element(readings_.begin(), readings_.end());
  // A reading can be low by as much as its answer took; only what goes beyond that is a step.
  if (offset + round_trip < known - kStep) {
    readings_.clear();  // backwards: at once, because firing late is the lesser evil
    suspects_.clear();
    return believe(offset);
  }
  if (offset > known + kStep) {
    suspects_.push_back(offset);
    const auto [low, high] = std::minmax_element(suspects_.begin(), suspects_.end());
    if (*high - *low > kStep) suspects_ = {offset};  // not even these agree
    if (suspects_.size() < kConfirmations) return;
    readings_.clear();
  }
  suspects_.clear();
  // The database read its clock after we had asked: nobody who says more is right any more. So a
  // boot clock that runs fast does not run away with an old reading.
  for (Offset& earlier : readings_) {
    earlier = std::min(earlier, offset + round_trip);
  }
  believe(offset);
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
