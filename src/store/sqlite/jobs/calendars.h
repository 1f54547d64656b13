#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <string>
#include <vector>

// CalendarStore, function by function, and how jobs come by the rules of their calendars, inside
// the transactions that write jobs; see store/calendars.h.
namespace belfry::store::sqlite {

Result<CalendarRow> put_calendar(const Session& session, TenantId tenant, const std::string& name,
                                 const std::vector<std::string>& rules, const Author& author);
Result<CalendarRow> find_calendar(const Session& session, TenantId tenant, const std::string& name);
Result<std::vector<CalendarRow>> list_calendars(const Session& session, TenantId tenant,
                                                const std::string& after, std::size_t limit);
Status delete_calendar(const Session& session, TenantId tenant, const std::string& name,
                       const Author& author);
Result<std::vector<JobId>> jobs_behind(const Session& session, std::size_t most);

// Gives a job that is about to be written the rules of its calendar. kNotFound when there is no
// such calendar.
Status take_calendar(const Session& session, JobRow& job);
// The same for a job that is rescheduled; other rules make it a new revision.
Status follow_calendar(const Session& session, const JobRow& before, JobRow& after);
// After the job's row was written, before its revision is.
Status copy_calendar(const Session& session, const JobRow& before, const JobRow& after);

}  // namespace belfry::store::sqlite
