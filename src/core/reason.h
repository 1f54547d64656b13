#pragma once

#include <cstdint>
#include <string_view>

namespace belfry::core {

// Why a tick got no run. The words are stable: ledger, API, metrics and console use them.
enum class SkipReason : std::uint8_t {
  kPaused,
  kCancelled,
  kCalendar,
  kOutOfBounds,
  kDstGap,
  kMisfireExpired,
  kMisfireCoalesced,
  kMisfireSkipped,
  kMisfireLimit,
  kOverlap,
  kOverlapReplaced,
  kQuota,
  kScheduleChanged,
  kCalendarCoalesced,
  kCommitsLost,
  kRestored,
};

std::string_view name_of(SkipReason reason);

}  // namespace belfry::core
