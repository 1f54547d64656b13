#include "core/proof/stretches.h"

#include "core/job_fields.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace belfry::core {
namespace {

// Whether the ticks after `next` took effect are decided as they were before, where both took
// effect at the same moment. A pause that was over, or a job without ticks left, changes its status
// by itself; the next revision shows it, although no tick depends on it.
bool decides_alike(const ProofRevision& law, const ProofRevision& next) {
  const bool same_rules =
      law.definition.schedule.calendar_rules == next.definition.schedule.calendar_rules;
  if (!same_rules || !same_ticks(law.definition, next.definition)) return false;
  if (law.status == next.status && law.paused_until == next.paused_until) return true;
  if (next.status == JobStatus::kCompleted) return true;
  return next.status == JobStatus::kActive &&
         status_at(next.created_at, law.status, law.paused_until) == JobStatus::kActive;
}

const ProofRevision* law_of(std::span<const ProofRevision> revisions) {
  const ProofRevision* law = &revisions.front();
  for (const ProofRevision& next : revisions) {
    if (!decides_alike(*law, next)) law = &next;
  }
  return law;
}

bool is_new_instant(const ProofRevision* before, const ProofRevision& revision) {
  constexpr auto kOnce = ScheduleSpec::Type::kOnce;
  const ScheduleSpec& schedule = revision.definition.schedule;
  if (schedule.type != kOnce || schedule.run_at > revision.effective_from) return false;
  if (before == nullptr) return revision.revision == 1;
  const ScheduleSpec& old = before->definition.schedule;
  return old.type != kOnce || old.run_at != schedule.run_at;
}

}  // namespace

std::vector<ProofStretch> stretches_of(std::span<const ProofRevision> revisions, Instant after,
                                       Instant through) {
  std::vector<ProofStretch> stretches;
  const auto add = [&](ProofStretch stretch) {
    stretch.until = stretch.through;
    stretch.after = std::max(stretch.after, after);
    stretch.through = std::min(stretch.through, through);
    if (stretch.after < stretch.through) stretches.push_back(stretch);
  };
  if (revisions.empty()) {
    add({.after = after, .through = through, .is_unknown = true});
    return stretches;
  }
  const ProofRevision& first = revisions.front();
  add({.after = after, .through = first.effective_from, .is_unknown = first.revision > 1});
  while (!revisions.empty()) {
    const auto next = std::ranges::upper_bound(revisions, revisions.front().effective_from,
                                               std::less<>(), &ProofRevision::effective_from);
    const auto count = static_cast<std::size_t>(next - revisions.begin());
    const auto alike = revisions.first(count);
    revisions = revisions.subspan(count);
    add({.after = alike.front().effective_from,
         .through = revisions.empty() ? Instant::max() : revisions.front().effective_from,
         .revisions = alike,
         .law = law_of(alike)});
  }
  return stretches;
}

std::vector<LateTick> late_ticks(TenantId tenant, std::span<const ProofRevision> revisions,
                                 Instant after, ScheduleCache& schedules) {
  std::vector<LateTick> ticks;
  const ProofRevision* before = nullptr;
  for (const ProofRevision& revision : revisions) {
    const ProofRevision* const last = std::exchange(before, &revision);
    if (revision.effective_from <= after || !can_tick(revision.status)) continue;
    if (!is_new_instant(last, revision)) continue;
    const JobDefinition& job = revision.definition;
    const auto schedule = schedules.of(tenant, job.name, job.schedule);
    if (!schedule) continue;
    const auto found = schedule->next(job.schedule.run_at - Duration(1));
    if (!found || found->tick.instant() > revision.effective_from) continue;
    // A job that was changed and changed back keeps the fate that it had.
    const bool again = std::ranges::find(ticks, found->tick, &LateTick::tick) != ticks.end();
    if (!again) ticks.push_back({found->tick, &revision});
  }
  return ticks;
}

Instant reads_after(TenantId tenant, std::span<const ProofRevision> revisions, Instant after,
                    ScheduleCache& schedules) {
  Instant from = after;
  for (const LateTick& late : late_ticks(tenant, revisions, after, schedules)) {
    from = std::min(from, late.tick.instant() - Duration(1));
  }
  return from;
}

std::optional<Tick> first_undecided(TenantId tenant, std::span<const ProofRevision> revisions,
                                    Instant decided_through, Instant through,
                                    ScheduleCache& schedules) {
  const auto stretches = stretches_of(revisions, decided_through, through);
  if (stretches.empty() || stretches.back().law == nullptr) return std::nullopt;
  const ProofStretch& last = stretches.back();
  if (last.until < Instant::max() || !can_tick(last.law->status)) return std::nullopt;
  const JobDefinition& job = last.law->definition;
  const auto schedule = schedules.of(tenant, job.name, job.schedule);
  const auto next = schedule ? schedule->next(last.after) : std::nullopt;
  if (!next || next->tick.instant() > last.through) return std::nullopt;
  return next->tick;
}

}  // namespace belfry::core
