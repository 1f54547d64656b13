#include "core/reason.h"

namespace belfry::core {

std::string_view name_of(SkipReason reason) {
  switch (reason) {
    case SkipReason::kPaused: return "paused";
    case SkipReason::kCancelled: return "cancelled";
    case SkipReason::kCalendar: return "calendar";
    case SkipReason::kOutOfBounds: return "out_of_bounds";
    case SkipReason::kDstGap: return "dst_gap";
    case SkipReason::kMisfireExpired: return "misfire_expired";
    case SkipReason::kMisfireCoalesced: return "misfire_coalesced";
    case SkipReason::kMisfireSkipped: return "misfire_skipped";
    case SkipReason::kMisfireLimit: return "misfire_limit";
    case SkipReason::kOverlap: return "overlap";
    case SkipReason::kOverlapReplaced: return "overlap_replaced";
    case SkipReason::kQuota: return "quota";
    case SkipReason::kScheduleChanged: return "schedule_changed";
    case SkipReason::kCalendarCoalesced: return "calendar_coalesced";
    case SkipReason::kCommitsLost: return "commits_lost";
    case SkipReason::kRestored: return "restored";
  }
  return "schedule_changed";
}

}  // namespace belfry::core
