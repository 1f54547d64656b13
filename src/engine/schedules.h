#pragma once

#include "base/result.h"
#include "core/schedule/schedule.h"
#include "store/decisions.h"
#include "store/jobs.h"
#include "store/store.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace belfry::engine {

// Compiles the schedules of jobs as they are loaded. Jobs that are written alike share the work: a
// million jobs with `0 0 * * *` parse it once.
class Schedules {
 public:
  explicit Schedules(core::ZoneCatalog& zones) : zones_(zones) {}

  // An error when the definition no longer compiles (a zone that was removed): only that
  // job suffers.
  Result<core::Schedule> of(const store::JobRow& job);

 private:
  Result<std::shared_ptr<const core::Calendar>> calendar_of(const core::ScheduleSpec& spec);

  core::ZoneCatalog& zones_;
  std::unordered_map<std::string, core::Schedule> known_;  // by text, where the key does not matter
  // By their rules. Only schedules that share a calendar can share a rhythm.
  std::unordered_map<std::string, std::shared_ptr<const core::Calendar>> calendars_;
};

// Ticks of a job's current revision in (after, through], each with its fate.
store::Decisions decide_job(const store::JobRow& job, const core::Schedule& schedule, Instant after,
                            Instant through, Instant now, Duration tolerance);

// What a change of a job writes for ticks of the old definition that are due but not decided yet.
store::Decisions settle_change(const store::JobStore::ChangeFacts& facts, Schedules& schedules,
                               Duration tolerance);

}  // namespace belfry::engine
