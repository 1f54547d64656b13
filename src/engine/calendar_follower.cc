#include "engine/calendar_follower.h"

namespace belfry::engine {

Result<std::size_t> CalendarFollower::run_once(std::size_t most) {
  const auto settle = [this](const store::JobStore::ChangeFacts& facts) {
    return settle_change(facts, schedules_, tolerance_);
  };
  BELFRY_TRY(behind, calendars_.jobs_behind(most));
  for (const JobId job : behind) {
    const auto changed = jobs_.change_job({.job = job}, settle);
    // Deleted meanwhile: it has nothing to follow any more.
    const bool gone = !changed && changed.error().code == Errc::kNotFound;
    if (!changed && !gone) return fail(changed.error());
  }
  return behind.size();
}

}  // namespace belfry::engine
