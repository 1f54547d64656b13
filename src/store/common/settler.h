#pragma once

#include "core/misfire.h"
#include "core/schedule/schedule_cache.h"
#include "store/jobs.h"

#include <optional>

namespace belfry::store {

// The rule by which a change of a job decides ticks that nobody else will (core/settle.h), for one
// call of a store: jobs that it changes together share their compiled schedules.
class Settler {
 public:
  // One that is `forgetful` decides nothing, and loses ticks: for SqliteOptions::settles.
  explicit Settler(core::ZoneCatalog& zones, bool forgetful = false)
      : schedules_(zones), forgetful_(forgetful) {}

  // What a change does to a job's ticks that were due before it.
  core::Fates end_of(const JobRow& before, Instant decided_through, Instant now);
  // What it does to the one instant of the definition that begins with it. A tick that has a fate
  // already, of an earlier definition, keeps it: the store has to look.
  core::Fates start_of(const JobRow& after, Instant now);
  // Whether a definition that was in force at an instant has a tick there. Then that has its fate:
  // the definition's owner decided it, or the change that ended the definition.
  bool has_tick(TenantId tenant, const RevisionRow& law, Instant at);

 private:
  core::ScheduleCache schedules_;
  const bool forgetful_;
};

// The tick that the fates of a start are about; none: there is none.
std::optional<Tick> tick_of(const core::Fates& start);

// Adds fates that the same change decided later.
void add(Settled& settled, const core::Fates& fates, Instant at);

}  // namespace belfry::store
