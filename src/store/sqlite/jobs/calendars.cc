#include "store/sqlite/jobs/calendars.h"

#include "core/schedule/calendar.h"
#include "store/common/access_rules.h"
#include "store/common/job_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

namespace {

CalendarRow read_calendar(Row& row) {
  CalendarRow calendar;
  std::string rules;
  row.read(calendar.tenant, calendar.name, rules, calendar.revision, calendar.updated_at);
  calendar.rules = core::split_rules(rules);
  return calendar;
}

Result<std::optional<CalendarRow>> calendar_named(const Session& session, TenantId tenant,
                                                  const std::string& name) {
  std::optional<CalendarRow> calendar;
  const auto read = [&](Row& row) { calendar = read_calendar(row); };
  BELFRY_CHECK(session.db.first(kFindCalendar, read, tenant, name));
  return calendar;
}

Result<CalendarRow> find_calendar(const Session& session, TenantId tenant,
                                  const std::string& name) {
  BELFRY_TRY(calendar, calendar_named(session, tenant, name));
  if (!calendar) return fail(no_such_calendar(name));
  return *std::move(calendar);
}

}  // namespace

Result<CalendarRow> SqliteStore::put_calendar(TenantId tenant, const std::string& name,
                                              const std::vector<std::string>& rules,
                                              const Author& author) {
  return write([&](const Session& session) -> Result<CalendarRow> {
    BELFRY_CHECK(core::Calendar::make(name, rules, zones_));
    const std::string text = core::join_rules(rules);
    BELFRY_TRY(before, calendar_named(session, tenant, name));
    BELFRY_TRY(changed, session.db.run(kPutCalendar, tenant, name, text, session.now));
    BELFRY_TRY(calendar, sqlite::find_calendar(session, tenant, name));
    if (changed > 0) BELFRY_CHECK(note_audit(session, author, note_of_calendar(before, calendar)));
    return calendar;
  });
}

Result<CalendarRow> SqliteStore::find_calendar(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) { return sqlite::find_calendar(session, tenant, name); });
}

Result<std::vector<CalendarRow>> SqliteStore::list_calendars(TenantId tenant,
                                                             const std::string& after,
                                                             std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<CalendarRow>> {
    std::vector<CalendarRow> calendars;
    const auto add = [&](Row& row) { calendars.push_back(read_calendar(row)); };
    BELFRY_CHECK(session.db.each(kListCalendars, add, tenant, after, limit));
    return calendars;
  });
}

Status SqliteStore::delete_calendar(TenantId tenant, const std::string& name,
                                    const Author& author) {
  return write([&](const Session& session) -> Status {
    std::string user;
    const auto read = [&](Row& row) { row.read(user); };
    BELFRY_TRY(used, session.db.first(kCalendarUser, read, tenant, name));
    if (used) return fail(calendar_in_use(user));
    BELFRY_TRY(calendar, sqlite::find_calendar(session, tenant, name));
    BELFRY_CHECK(session.db.run(kDeleteCalendar, tenant, name));
    return note_audit(session, author, note_of_deleted_calendar(calendar));
  });
}

Result<std::vector<JobId>> SqliteStore::jobs_behind(std::size_t most) {
  return write([&](const Session& session) -> Result<std::vector<JobId>> {
    std::vector<JobId> jobs;
    const auto add = [&](Row& row) { row.read(jobs.emplace_back()); };
    BELFRY_CHECK(session.db.each(kJobsBehind, add, most));
    if (jobs.empty()) BELFRY_CHECK(session.db.run(kAllFollowed));
    return jobs;
  });
}

Status take_calendar(const Session& session, JobRow& job) {
  job.definition.schedule.calendar_rules.clear();
  job.calendar_revision = 0;
  if (!has_calendar(job)) return {};
  BELFRY_TRY(calendar, find_calendar(session, job.tenant, job.definition.schedule.calendar_name));
  job.definition.schedule.calendar_rules = core::join_rules(calendar.rules);
  job.calendar_revision = calendar.revision;
  return {};
}

Status follow_calendar(const Session& session, const JobRow& before, JobRow& after) {
  BELFRY_CHECK(take_calendar(session, after));
  count_new_rules(before, after);
  return {};
}

Status copy_calendar(const Session& session, const JobRow& before, const JobRow& after) {
  if (!has_calendar(before) && !has_calendar(after)) return {};
  BELFRY_CHECK(session.db.run(kCopyCalendar, after.id));
  return {};
}

}  // namespace belfry::store::sqlite
