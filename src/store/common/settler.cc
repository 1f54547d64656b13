#include "store/common/settler.h"

#include "core/settle.h"

namespace belfry::store {

core::Fates Settler::end_of(const JobRow& before, Instant decided_through, Instant now) {
  if (forgetful_) return {};
  return core::settle_end(facts_of(before), decided_through, now, schedules_);
}

core::Fates Settler::start_of(const JobRow& after, Instant now) {
  if (forgetful_) return {};
  return core::settle_start(facts_of(after), now, schedules_);
}

bool Settler::has_tick(TenantId tenant, const RevisionRow& law, Instant at) {
  using core::JobStatus;
  if (law.status == JobStatus::kCancelled || law.status == JobStatus::kDeleted) return false;
  const auto schedule = schedules_.of(tenant, law.name, law.schedule);
  const auto next = schedule ? schedule->next(at - Duration(1)) : std::nullopt;
  return next && next->tick.instant() == at;
}

std::optional<Tick> tick_of(const core::Fates& start) {
  if (!start.runs.empty()) return start.runs.front().tick;
  if (!start.skips.empty()) return start.skips.front().first;
  return std::nullopt;
}

void add(Settled& settled, const core::Fates& fates, Instant at) {
  auto& [runs, skips] = settled.fates;
  runs.insert(runs.end(), fates.runs.begin(), fates.runs.end());
  skips.insert(skips.end(), fates.skips.begin(), fates.skips.end());
  settled.at = at;
}

}  // namespace belfry::store
