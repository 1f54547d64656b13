#include "engine/loading/first_tick.h"

#include <algorithm>

namespace belfry::engine {

std::optional<Instant> first_tick_of(const LoadedPartition& partition,
                                     core::ScheduleCache& schedules) {
  std::optional<Instant> first;
  const auto take = [&](std::optional<Instant> tick) {
    if (tick) first = first ? std::min(*first, *tick) : tick;
  };
  const auto take_next = [&](const core::Schedule& schedule, Instant effective_from) {
    const auto next = schedule.next(std::max(effective_from, partition.decided_through));
    if (next) take(next->tick.instant());
  };
  for (const auto& group : partition.groups) take(group.first);
  for (const auto& job : partition.newcomers) take_next(job.terms->schedule, job.effective_from);
  for (const auto& job : partition.once) {
    if (job.at > std::max(job.effective_from, partition.decided_through)) take(job.at);
  }
  for (const store::JobRow& job : partition.whole) {
    if (!core::can_tick(job.status)) continue;
    const auto schedule = schedules.of(job.tenant, job.definition.name, job.definition.schedule);
    if (schedule) take_next(*schedule, job.effective_from);
  }
  return first;
}

}  // namespace belfry::engine
