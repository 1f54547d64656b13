-- What holds for all jobs of a type.

-- name: count_types
select count(*) from job_types t where t.tenant_id = $1::bigint and t.name <> $2::text

-- name: type_before
-- as it is before it is put
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.max_attempts, t.timeout,
  t.start_within, t.misfire_grace, t.updated_at, t.updated_by
from job_types t
where t.tenant_id = $1::bigint and t.name = $2::text
for no key update

-- name: put_type
-- $1 clock, $2 tenant, $3 name, $4 max_concurrent, $5 starts, $6 per, $7 burst, $8 max_attempts,
-- $9 timeout, $10 start_within, $11 misfire_grace, $12 actor. What was started before is forgiven.
insert into job_types (tenant_id, name, max_concurrent, starts, per, burst, max_attempts, timeout,
  start_within, misfire_grace, updated_at, updated_by)
values ($2::bigint, $3::text, $4::integer, $5::integer, $6::bigint, $7::integer, $8::integer, $9::bigint,
  $10::bigint, $11::bigint, coalesce($1::timestamptz, clock_timestamp()), $12::text)
on conflict (tenant_id, name) do update
set max_concurrent = excluded.max_concurrent, starts = excluded.starts, per = excluded.per,
  burst = excluded.burst, next_start = null, max_attempts = excluded.max_attempts,
  timeout = excluded.timeout, start_within = excluded.start_within,
  misfire_grace = excluded.misfire_grace, updated_at = excluded.updated_at,
  updated_by = excluded.updated_by
returning tenant_id, name, max_concurrent, starts, per, burst, max_attempts, timeout, start_within,
  misfire_grace, updated_at, updated_by

-- name: count_running_of_type
-- $1 tenant, $2 type, which has a limit now: what already runs counts, too
update runs r set holds_room = true
where r.tenant_id = $1::bigint and r.job_type = $2::text and r.state + 0 = :running and not r.holds_room

-- name: find_type
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.max_attempts, t.timeout,
  t.start_within, t.misfire_grace, t.updated_at, t.updated_by
from job_types t
where t.tenant_id = $1::bigint and t.name = $2::text

-- name: list_types
-- $1 tenant, $2 after, $3 how many
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.max_attempts, t.timeout,
  t.start_within, t.misfire_grace, t.updated_at, t.updated_by
from job_types t
where t.tenant_id = $1::bigint and t.name > $2::text
order by t.name
limit $3::bigint

-- name: delete_type
delete from job_types t
where t.tenant_id = $1::bigint and t.name = $2::text
returning t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.max_attempts, t.timeout,
  t.start_within, t.misfire_grace, t.updated_at, t.updated_by

-- name: type_loads
-- $1 clock, $2 how far to look. By queue, because other runs wait there, too.
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.next_start,
  in_flight_of_type(t.tenant_id, t.name, 1000000), coalesce($1::timestamptz, clock_timestamp()),
  w.queue, coalesce(w.waiting, 0), w.since
from job_types t
left join (
  select r.tenant_id, r.job_type, coalesce(r.queue, r.job_type) as queue, count(*) as waiting, min(r.due_at) as since
  from (select r.* from runs r limit $2::bigint) as r
  where r.state <> :running and r.due_at <= coalesce($1::timestamptz, clock_timestamp())
  group by r.tenant_id, r.job_type, coalesce(r.queue, r.job_type)
) as w on w.tenant_id = t.tenant_id and w.job_type = t.name
where t.max_concurrent > 0 or t.starts > 0
order by t.tenant_id, t.name, w.queue
