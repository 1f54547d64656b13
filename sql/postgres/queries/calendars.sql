-- Calendars, and the copies of their rules that jobs carry.

-- name: put_calendar
-- $1 clock, $2 tenant, $3 name, $4 rules. No row: these are its rules already. The lock waits for
-- transactions that are copying the old rules, so that none copies them after this.
insert into calendars as c (tenant_id, name, rules, revision, followed, updated_at)
values ($2::bigint, $3::text, $4::text, 1, 1, coalesce($1::timestamptz, clock_timestamp()))
on conflict (tenant_id, name) do update
set rules = excluded.rules, revision = c.revision + 1, updated_at = excluded.updated_at
where c.rules <> excluded.rules
returning c.tenant_id, c.name, c.rules, c.revision, c.updated_at

-- name: find_calendar
select c.tenant_id, c.name, c.rules, c.revision, c.updated_at
from calendars c
where c.tenant_id = $1::bigint and c.name = $2::text

-- name: list_calendars
-- $1 tenant, $2 after, $3 how many
select c.tenant_id, c.name, c.rules, c.revision, c.updated_at
from calendars c
where c.tenant_id = $1::bigint and c.name > $2::text
order by c.name
limit $3::bigint

-- name: calendar_before
-- as it is before it is put
select c.tenant_id, c.name, c.rules, c.revision, c.updated_at
from calendars c
where c.tenant_id = $1::bigint and c.name = $2::text
for no key update

-- name: lock_calendar
-- before it is deleted
select c.tenant_id, c.name, c.rules, c.revision, c.updated_at
from calendars c
where c.tenant_id = $1::bigint and c.name = $2::text
for update

-- name: calendar_user
-- the name of some job that uses it
select j.name from jobs j
where j.tenant_id = $1::bigint and j.calendar = $2::text and j.calendar <> '' and j.status <> :deleted
limit 1

-- name: delete_calendar
delete from calendars c where c.tenant_id = $1::bigint and c.name = $2::text

-- name: take_calendars
-- $1 tenants, $2 names, in step. The rules cannot change until the transaction that copies
-- them ends.
select c.tenant_id, c.name, c.rules, c.revision
from unnest($1::bigint[], $2::text[]) as n (tenant_id, name)
cross join lateral (
  select c.* from calendars c
  where c.tenant_id = n.tenant_id and c.name = n.name collate "C"
  for share
) as c

-- name: copy_calendars
-- $1 jobs; the rules go to them and to their revisions
with
copies as materialized (
  select j.id, j.revision, c.rules, c.revision as calendar_revision
  from jobs j
  join calendars c on c.tenant_id = j.tenant_id and c.name = j.calendar collate "C"
  where j.id = any ($1::bigint[])
),
told as (
  update job_revisions v set calendar_rules = c.rules
  from copies c
  where v.job_id = c.id and v.revision = c.revision
)
update jobs j set calendar_rules = c.rules, calendar_revision = c.calendar_revision
from copies c
where j.id = c.id

-- name: jobs_behind
-- $1 how many
select j.id
from calendars c
cross join lateral (
  select j.id from jobs j
  where j.tenant_id = c.tenant_id and j.calendar = c.name and j.calendar <> ''
    and j.calendar_revision < c.revision and j.status <> :deleted and j.status in (:active, :paused)
  limit $1::bigint
) as j
where c.followed < c.revision
limit $1

-- name: all_followed
-- Calendars that no job is behind any more. The lock keeps their rules as they are meanwhile.
with
behind as materialized (
  select c.tenant_id, c.name, c.revision from calendars c where c.followed < c.revision for update
)
update calendars c set followed = b.revision
from behind b
where c.tenant_id = b.tenant_id and c.name = b.name
  and not exists (
    select from jobs j
    where j.tenant_id = b.tenant_id and j.calendar = b.name and j.calendar <> ''
      and j.calendar_revision < b.revision and j.status <> :deleted and j.status in (:active, :paused))
