#include "core/settle.h"

#include <algorithm>

namespace belfry::core {
namespace {

Fates decide(const JobFacts& job, const DueStretch& stretch, ScheduleCache& schedules) {
  if (!can_tick(job.status)) return {};
  const auto schedule = schedules.of(job.tenant, job.definition.name, job.definition.schedule);
  if (!schedule) return {};
  return decide_job(job, *schedule, stretch);
}

}  // namespace

Fates settle_end(const JobFacts& before, Instant decided_through, Instant now,
                 ScheduleCache& schedules) {
  const Instant after = std::max(before.effective_from, decided_through);
  return decide(before, {.after = after, .through = now, .now = now}, schedules);
}

Fates settle_start(const JobFacts& after, Instant now, ScheduleCache& schedules) {
  const ScheduleSpec& schedule = after.definition.schedule;
  if (schedule.type != ScheduleSpec::Type::kOnce) return {};
  return decide(
      after, {.after = schedule.run_at - Duration(1), .through = after.effective_from, .now = now},
      schedules);
}

}  // namespace belfry::core
