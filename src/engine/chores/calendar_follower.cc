#include "engine/chores/calendar_follower.h"

namespace belfry::engine {

Result<std::size_t> CalendarFollower::run_once(std::size_t most) {
  BELFRY_TRY(behind, calendars_.jobs_behind(most));
  for (const JobId job : behind) {
    const auto changed = jobs_.change_job({.job = job});
    // Deleted meanwhile: it has nothing to follow any more.
    const bool gone = !changed && changed.error().code == Errc::kNotFound;
    if (!changed && !gone) return fail(changed.error());
  }
  return behind.size();
}

}  // namespace belfry::engine
