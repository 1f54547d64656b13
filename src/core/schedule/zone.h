#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace belfry::core {

// The last year schedules are computed for. Searches end with it, so they always end.
inline constexpr int kLastYear = 2199;

// From the instant `at` on (Unix seconds), local time is UTC + `offset` seconds.
struct OffsetChange {
  std::int64_t at = 0;
  std::int32_t offset = 0;
};

// A stretch of time in which a zone's offset does not change: instants [begin, end).
//
// Where it meets its predecessor the wall clock either jumps forward (a gap: the civil times
// [civil_before, civil_begin()) do not exist) or back (an overlap: the civil times
// [civil_begin(), repeated_until) were already shown once).
struct ZoneSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t offset = 0;
  std::int64_t civil_before = 0;    // what the wall clock was about to show when the span began
  std::int64_t repeated_until = 0;  // civil times below this have occurred before the span began

  std::int64_t civil_begin() const { return begin + offset; }
  std::int64_t civil_end() const { return end + offset; }
  std::int64_t gap_seconds() const { return civil_begin() - civil_before; }  // negative: overlap
};

// A time zone as plain data: the list of its spans, complete through kLastYear. Immutable, so it is
// shared between threads without a lock. Looking up an instant costs a table access, not a search:
// a table of equal slots says in which span each slot starts.
class Zone {
 public:
  // `changes` in ascending order; `first_offset` holds before the first of them.
  Zone(std::string name, std::int32_t first_offset, const std::vector<OffsetChange>& changes);

  const std::string& name() const { return name_; }
  std::size_t span_count() const { return spans_.size(); }
  const ZoneSpan& span(std::size_t index) const { return spans_[index]; }

  // The span that contains an instant given in Unix seconds.
  std::size_t span_index_at(std::int64_t unix_seconds) const {
    std::size_t index = unix_seconds < 0 ? 0 : slots_[slot_of(unix_seconds)];
    while (unix_seconds >= spans_[index].end) ++index;
    return index;
  }
  std::int64_t offset_at(std::int64_t unix_seconds) const {
    return spans_[span_index_at(unix_seconds)].offset;
  }

 private:
  // 2^22 s = 48.5 days: shorter than the time between two changes almost everywhere.
  static constexpr int kSlotBits = 22;
  static constexpr std::size_t kSlots = 1'740;  // past the end of kLastYear

  static std::size_t slot_of(std::int64_t unix_seconds) {
    const auto slot = static_cast<std::uint64_t>(unix_seconds) >> kSlotBits;
    return slot < kSlots ? static_cast<std::size_t>(slot) : kSlots - 1;
  }

  std::string name_;
  std::vector<ZoneSpan> spans_;
  std::array<std::uint16_t, kSlots> slots_{};
};

}  // namespace belfry::core
