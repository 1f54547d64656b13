#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "core/schedule/schedule.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace belfry::core {

// The texts that decide a schedule which depends on nothing else: not on the job's name, on bounds
// or on a calendar. Empty for all others.
std::string shared_text(const ScheduleSpec& spec);

// Compiles the schedules of jobs as they are loaded. Jobs that are written alike share the work: a
// million jobs with `0 0 * * *` parse it once. For one thread; the zones may be shared.
class ScheduleCache {
 public:
  explicit ScheduleCache(ZoneCatalog& zones) : zones_(zones) {}

  // As compile_schedule. An error when the definition no longer compiles (a zone that was removed):
  // only that job suffers.
  Result<Schedule> of(TenantId tenant, std::string_view job_name, const ScheduleSpec& spec);

 private:
  Result<std::shared_ptr<const Calendar>> calendar_of(const ScheduleSpec& spec);

  ZoneCatalog& zones_;
  std::unordered_map<std::string, Schedule> known_;  // by text, where the key does not matter
  // By their rules. Only schedules that share a calendar can share a rhythm.
  std::unordered_map<std::string, std::shared_ptr<const Calendar>> calendars_;
};

}  // namespace belfry::core
