-- Calendars, and the copies of their rules that jobs carry. ?1 tenant, ?2 name.

-- name: put_calendar
-- ?3 rules, ?4 now
insert into calendars (tenant_id, name, rules, revision, followed, updated_at)
values (?1, ?2, ?3, 1, 1, ?4)
on conflict (tenant_id, name) do update
set rules = excluded.rules, revision = revision + 1, updated_at = excluded.updated_at
where rules <> excluded.rules;

-- name: find_calendar
select tenant_id, name, rules, revision, updated_at from calendars where tenant_id = ?1 and name = ?2;

-- name: list_calendars
-- ?2 after, ?3 how many
select tenant_id, name, rules, revision, updated_at from calendars
where tenant_id = ?1 and name > ?2
order by name
limit ?3;

-- name: calendar_user
select name from jobs indexed by jobs_calendar
where tenant_id = ?1 and calendar = ?2 and calendar <> '' and status <> :deleted
limit 1;

-- name: delete_calendar
delete from calendars where tenant_id = ?1 and name = ?2;

-- name: copy_calendar
-- A job takes the rules its calendar has now; one without a calendar has none.
update jobs
set (calendar_rules, calendar_revision) = (
  select coalesce(max(c.rules), ''), coalesce(max(c.revision), 0) from calendars c
  where c.tenant_id = jobs.tenant_id and c.name = jobs.calendar)
where id = ?1;

-- name: jobs_behind
-- ?1 how many
select j.id
from calendars c indexed by calendars_behind
  cross join jobs j indexed by jobs_calendar on j.tenant_id = c.tenant_id and j.calendar = c.name
    and j.calendar <> '' and j.calendar_revision < c.revision and j.status <> :deleted
    and j.status in (:active, :paused)
where c.followed < c.revision
limit ?1;

-- name: all_followed
update calendars set followed = revision where followed < revision;
