#include "service/jobs/backfill.h"

#include "core/backfill.h"

#include <utility>

namespace belfry::service {

Result<BackfillReport> backfill(store::Store& store, core::ScheduleCache& schedules,
                                const BackfillRequest& request) {
  BELFRY_TRY(job, store.find_job(request.job));
  BELFRY_TRY(schedule, schedules.of(job.tenant, job.definition.name, job.definition.schedule));
  BELFRY_TRY(plan, core::plan_backfill(schedule, request.from, request.to));
  const auto count = static_cast<std::int64_t>(plan.ticks.size());
  BackfillReport report{.ticks = count + plan.excluded, .excluded = plan.excluded};
  const store::RunStore::Backfill wanted{.job = job.id,
                                         .ticks = std::move(plan.ticks),
                                         .dry_run = request.dry_run,
                                         .author = request.author};
  BELFRY_TRY(fates, store.backfill(wanted));
  for (std::size_t i = 0; i < fates.size(); ++i) {
    switch (fates[i]) {
      case store::BackfillFate::kCreated: report.created.push_back(wanted.ticks[i].tick); break;
      case store::BackfillFate::kUndecided: ++report.undecided; break;
      case store::BackfillFate::kExists: report.existing.push_back(wanted.ticks[i].tick); break;
    }
  }
  return report;
}

}  // namespace belfry::service
