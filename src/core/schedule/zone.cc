#include "core/schedule/zone.h"

#include "base/assert.h"

#include <algorithm>
#include <utility>

namespace belfry::core {
namespace {

// Far outside every instant we compute with, and far inside what 64 bits hold after adding offsets.
constexpr std::int64_t kForever = std::int64_t{1} << 55;

}  // namespace

Zone::Zone(std::string name, std::int32_t first_offset, const std::vector<OffsetChange>& changes)
    : name_(std::move(name)) {
  spans_.reserve(changes.size() + 1);
  spans_.push_back({.begin = -kForever,
                    .end = kForever,
                    .offset = first_offset,
                    .civil_before = -kForever + first_offset,
                    .repeated_until = -kForever});
  for (const OffsetChange& change : changes) {
    ZoneSpan& last = spans_.back();
    BELFRY_ASSERT(change.at > last.begin);
    if (change.offset == last.offset) continue;  // another name for the same offset
    last.end = change.at;
    const std::int64_t civil_before = change.at + last.offset;
    spans_.push_back({.begin = change.at,
                      .end = kForever,
                      .offset = change.offset,
                      .civil_before = civil_before,
                      .repeated_until = std::max(last.repeated_until, civil_before)});
  }
  BELFRY_ASSERT(spans_.size() < 65'536);
  std::uint16_t index = 0;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    while ((static_cast<std::int64_t>(slot) << kSlotBits) >= spans_[index].end) ++index;
    slots_[slot] = index;
  }
}

}  // namespace belfry::core
