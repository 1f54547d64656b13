#include "core/restore/missed_ticks.h"

namespace belfry::core {
namespace {

constexpr Duration kForEver = std::chrono::days(365 * 200);

MisfirePolicy policy_for(MissedTicks missed) {
  switch (missed) {
    case MissedTicks::kLatest: return MisfirePolicy::kFireOnce;
    case MissedTicks::kAll: return MisfirePolicy::kFireAll;
    case MissedTicks::kSkip: break;
  }
  return MisfirePolicy::kSkip;
}

bool is_misfire(SkipReason reason) {
  return reason == SkipReason::kMisfireExpired || reason == SkipReason::kMisfireCoalesced ||
         reason == SkipReason::kMisfireSkipped || reason == SkipReason::kMisfireLimit;
}

}  // namespace

Fates decide_restored(const JobFacts& job, const Schedule& schedule, const DueStretch& stretch,
                      MissedTicks missed) {
  JobDefinition definition;
  definition.policies = job.definition.policies;
  definition.policies.misfire = policy_for(missed);
  definition.policies.misfire_grace = kForEver;
  JobFacts facts{.tenant = job.tenant,
                 .definition = definition,
                 .status = job.status,
                 .paused_until = job.paused_until,
                 .effective_from = job.effective_from};
  // Seen from later than any tolerance reaches: the last seconds were missed like the rest.
  DueStretch late = stretch;
  late.now = stretch.through + kTickTolerance + Duration(1);
  Fates fates = decide_job(facts, schedule, late);
  for (SkippedTicks& skip : fates.skips) {
    if (is_misfire(skip.reason)) skip.reason = SkipReason::kRestored;
  }
  for (RunTick& run : fates.runs) run.stands_for = 1;  // the others are not waiting for it
  return fates;
}

}  // namespace belfry::core
