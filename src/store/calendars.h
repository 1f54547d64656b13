#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "store/author.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Calendars of exclusions, and how jobs follow their changes. A job carries a copy of the rules it
// is scheduled by, because the ticks of a revision must not depend on a row that others edit.
// create_jobs, and each change_job that reschedules, copies the rules as they are then (kNotFound,
// field `calendar`, when there is no such calendar). A change of rules reaches existing jobs one by
// one, through change_job: engine/chores/calendar_follower.h does that.
namespace belfry::store {

struct CalendarRow {
  TenantId tenant;
  std::string name;
  std::vector<std::string> rules;  // as in core/schedule/calendar.h
  std::uint32_t revision = 0;      // grows with each change of the rules
  Instant updated_at;
};

class CalendarStore {
 public:
  virtual ~CalendarStore() = default;

  // Makes or changes a calendar. kInvalid when core/schedule/calendar.h refuses a rule, kNotFound
  // when there is no such tenant. The same rules again change nothing, so repeating is harmless.
  virtual Result<CalendarRow> put_calendar(TenantId tenant, const std::string& name,
                                           const std::vector<std::string>& rules,
                                           const Author& author) = 0;
  virtual Result<CalendarRow> find_calendar(TenantId tenant, const std::string& name) = 0;
  // Ordered by name, those after `after`.
  virtual Result<std::vector<CalendarRow>> list_calendars(TenantId tenant, const std::string& after,
                                                          std::size_t limit) = 0;
  // kConflict while jobs use it.
  virtual Status delete_calendar(TenantId tenant, const std::string& name,
                                 const Author& author) = 0;

  // Jobs that can tick and whose calendar has changed since they copied its rules: a change_job
  // with nothing but `reschedules` brings one up to date. Empty: all are.
  virtual Result<std::vector<JobId>> jobs_behind(std::size_t most) = 0;
};

}  // namespace belfry::store
