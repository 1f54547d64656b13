#include "core/backfill.h"

#include "core/catch_up_pace.h"

#include <fmt/format.h>

namespace belfry::core {

Result<BackfillPlan> plan_backfill(const Schedule& schedule, Instant from, Instant to) {
  if (to < from) {
    return fail({.code = Errc::kInvalid,
                 .message = "lies before `from`",
                 .field = "to",
                 .hint = "swap the two"});
  }
  BackfillPlan plan;
  CatchUpPace spread(Instant(), kLongestBackfillGap);
  std::int64_t count = 0;
  for (Instant at = from - Duration(1); const auto found = schedule.next(at);) {
    at = found->tick.instant();
    if (at > to) break;
    if (++count > kMostBackfillTicks) {
      return fail({.code = Errc::kInvalid,
                   .message = fmt::format("the job has more than {} ticks between `from` and `to`, "
                                          "the limit of one backfill",
                                          kMostBackfillTicks),
                   .field = "to",
                   .hint = "split the time into several backfills"});
    }
    if (found->exclusion != Exclusion::kNone) {
      ++plan.excluded;
    } else {
      plan.ticks.push_back({found->tick, spread.due(found->tick).since_origin()});
    }
  }
  return plan;
}

}  // namespace belfry::core
