#include "store/postgres/jobs/calendars.h"

#include "core/schedule/calendar.h"
#include "store/common/access_rules.h"
#include "store/common/job_rules.h"
#include "store/postgres/admin/audit.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <map>
#include <utility>

namespace belfry::store::postgres {
namespace {

using CalendarName = std::pair<TenantId, std::string>;

struct Copy {
  std::string rules;
  std::uint32_t revision = 0;
};

CalendarRow read_calendar(Row row) {
  CalendarRow calendar;
  calendar.tenant = TenantId(to_unsigned(row.number()));
  calendar.name = row.text();
  calendar.rules = core::split_rules(row.text());
  calendar.revision = static_cast<std::uint32_t>(row.number());
  calendar.updated_at = row.instant();
  return calendar;
}

Params name_of(TenantId tenant, const std::string& name) {
  return Params().bigint(to_bigint(tenant.value())).text(name);
}

}  // namespace

Status take_calendars(Transaction& transaction, std::span<JobRow* const> jobs) {
  std::map<CalendarName, Copy> copies;
  for (JobRow* job : jobs) {
    job->definition.schedule.calendar_rules.clear();
    job->calendar_revision = 0;
    if (has_calendar(*job)) copies[{job->tenant, job->definition.schedule.calendar_name}];
  }
  if (copies.empty()) return {};
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> names;
  for (const auto& [name, copy] : copies) {
    tenants.push_back(to_bigint(name.first.value()));
    names.emplace_back(name.second);
  }
  BELFRY_TRY(reply, transaction.run(kTakeCalendars, Params().bigints(tenants).texts(names)));
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const TenantId tenant(to_unsigned(row.number()));
    Copy& copy = copies[{tenant, row.text()}];
    copy.rules = row.text();
    copy.revision = static_cast<std::uint32_t>(row.number());
  }
  for (JobRow* job : jobs) {
    if (!has_calendar(*job)) continue;
    core::ScheduleSpec& schedule = job->definition.schedule;
    const Copy& copy = copies.at({job->tenant, schedule.calendar_name});
    if (copy.revision == 0) return fail(no_such_calendar(schedule.calendar_name));
    schedule.calendar_rules = copy.rules;
    job->calendar_revision = copy.revision;
  }
  return {};
}

Status follow_calendar(Transaction& transaction, const JobRow& before, JobRow& after) {
  JobRow* const job = &after;
  BELFRY_CHECK(take_calendars(transaction, {&job, 1}));
  count_new_rules(before, after);
  return {};
}

Status copy_calendars(Transaction& transaction, std::span<const JobRow* const> jobs) {
  std::vector<std::int64_t> ids;
  for (const JobRow* job : jobs) {
    if (has_calendar(*job)) ids.push_back(to_bigint(job->id.value()));
  }
  if (ids.empty()) return {};
  BELFRY_CHECK(transaction.run(kCopyCalendars, Params().bigints(ids)));
  return {};
}

Result<CalendarRow> PostgresStore::put_calendar(TenantId tenant, const std::string& name,
                                                const std::vector<std::string>& rules,
                                                const Author& author) {
  BELFRY_CHECK(core::Calendar::make(name, rules, zones_));
  CalendarRow calendar;
  const auto put = [&](Transaction& transaction) -> Status {
    std::optional<CalendarRow> before;
    BELFRY_TRY(old, transaction.run(kCalendarBefore, name_of(tenant, name)));
    if (!old.empty()) before = read_calendar(old.row(0));
    BELFRY_TRY(made, transaction.run(kPutCalendar, Params()
                                                       .instant(now())
                                                       .bigint(to_bigint(tenant.value()))
                                                       .text(name)
                                                       .text(core::join_rules(rules))));
    if (made.empty()) {
      BELFRY_TRY(there, transaction.run(kFindCalendar, name_of(tenant, name)));
      if (there.empty()) return fail(no_such_calendar(name));
      calendar = read_calendar(there.row(0));
      return {};
    }
    calendar = read_calendar(made.row(0));
    return note_audit(transaction, now(), author, note_of_calendar(before, calendar));
  };
  BELFRY_CHECK(database_.transaction(put));
  return calendar;
}

Result<CalendarRow> PostgresStore::find_calendar(TenantId tenant, const std::string& name) {
  BELFRY_TRY(reply, database_.read(kFindCalendar, name_of(tenant, name)));
  if (reply.empty()) return fail(no_such_calendar(name));
  return read_calendar(reply.row(0));
}

Result<std::vector<CalendarRow>> PostgresStore::list_calendars(TenantId tenant,
                                                               const std::string& after,
                                                               std::size_t limit) {
  BELFRY_TRY(reply,
             database_.read(kListCalendars, name_of(tenant, after).bigint(to_bigint(limit))));
  return read_all(reply, read_calendar);
}

Status PostgresStore::delete_calendar(TenantId tenant, const std::string& name,
                                      const Author& author) {
  return database_.transaction([&](Transaction& transaction) -> Status {
    BELFRY_TRY(locked, transaction.run(kLockCalendar, name_of(tenant, name)));
    if (locked.empty()) return fail(no_such_calendar(name));
    BELFRY_TRY(user, transaction.run(kCalendarUser, name_of(tenant, name)));
    if (!user.empty()) return fail(calendar_in_use(user.row(0).text()));
    BELFRY_TRY(gone, transaction.run(kDeleteCalendar, name_of(tenant, name)));
    return note_audit(transaction, now(), author,
                      note_of_deleted_calendar(read_calendar(locked.row(0))));
  });
}

Result<std::vector<JobId>> PostgresStore::jobs_behind(std::size_t most) {
  BELFRY_TRY(reply, database_.read(kJobsBehind, Params().bigint(to_bigint(most))));
  if (reply.empty()) BELFRY_CHECK(database_.write(kAllFollowed));
  return read_all(reply, [](Row row) { return JobId(to_unsigned(row.number())); });
}

}  // namespace belfry::store::postgres
