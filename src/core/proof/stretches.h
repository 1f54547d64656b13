#pragma once

#include "core/proof/facts.h"
#include "core/schedule/schedule_cache.h"

#include <optional>
#include <vector>

// Which definition decided which ticks.
namespace belfry::core {

// A stretch of time, (after, through], under one definition.
struct ProofStretch {
  Instant after;    // no earlier than what is looked at ...
  Instant through;  // ... and no later
  Instant until;    // when the definition ceased to count
  // In force one after the other, and alike in what decides ticks; none: the job was not there yet,
  // or nobody knows how it was.
  std::span<const ProofRevision> revisions;
  const ProofRevision* law = nullptr;  // the one of them whose status and pause count
  bool is_unknown = false;             // revisions from before are missing
};

// The stretches of (after, through], in order.
std::vector<ProofStretch> stretches_of(std::span<const ProofRevision> revisions, Instant after,
                                       Instant through);

// The one instant of a definition that was over before it took effect: the change that made the
// definition decided it (core/settle.h).
struct LateTick {
  Tick tick;
  const ProofRevision* law = nullptr;
};

// Those of definitions that took effect after `after`. A schedule that does not compile has none.
std::vector<LateTick> late_ticks(TenantId tenant, std::span<const ProofRevision> revisions,
                                 Instant after, ScheduleCache& schedules);

// From where on the ledger must be read to prove what came after `after`.
Instant reads_after(TenantId tenant, std::span<const ProofRevision> revisions, Instant after,
                    ScheduleCache& schedules);

// The first tick in (decided_through, through] that nobody has decided yet. `decided_through` is
// the cursor of the job's partition; a change of the job decides what is due, however far that is.
// None for a schedule that does not compile: its owner could not tell either.
std::optional<Tick> first_undecided(TenantId tenant, std::span<const ProofRevision> revisions,
                                    Instant decided_through, Instant through,
                                    ScheduleCache& schedules);

}  // namespace belfry::core
