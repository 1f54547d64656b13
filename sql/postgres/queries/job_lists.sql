-- Finding jobs. A list walks the names of one index, some at a time, and reads the jobs of those it
-- still wants; every walk is ordered by name. $1 tenant, $2 the name to go on after, $3 how many.

-- name: names_of_all
select j.name from jobs j
where j.tenant_id = $1::bigint and j.status <> :deleted and j.name > $2::text
order by j.name
limit $3::bigint

-- name: names_of_status
-- $4 any status but active, which most jobs have
select j.name from jobs j
where j.tenant_id = $1::bigint and j.status = $4::smallint and j.status in (:paused, :job_cancelled, :completed)
  and j.name > $2::text
order by j.name
limit $3::bigint

-- name: names_of_type
-- $4 any type but the default
select j.name from jobs j
where j.tenant_id = $1::bigint and j.job_type = $4::text and j.job_type <> 'default'
  and j.status <> :deleted and j.name > $2::text
order by j.name
limit $3::bigint

-- name: names_of_label
-- $4 key=value
select l.name from job_labels l
where l.tenant_id = $1::bigint and l.label = $4::text and l.name > $2::text
order by l.name
limit $3::bigint

-- name: names_of_failing
-- Few jobs fail at a time, so they are sorted anew for each page.
select j.name
from (
  select f.job_id from failing f where f.tenant_id = $1::bigint offset 0
) as f
cross join lateral (select * from jobs j where j.id = f.job_id limit 1) as j
where j.status <> :deleted and j.name > $2::text
order by j.name
limit $3::bigint

-- name: names_of_checkins
-- Few jobs have a token, so they are sorted anew for each page.
select j.name
from (select c.job_id from checkins c offset 0) as c
cross join lateral (select * from jobs j where j.id = c.job_id limit 1) as j
where j.tenant_id = $1::bigint and j.status <> :deleted and j.name > $2::text
order by j.name
limit $3::bigint

-- name: jobs_named
-- $1 tenant, $2 names, $3 status, $4 type, $5 labels, $6 clock, $7 whether failing ones only; those
-- that match all
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as target, '' as payload, j.labels::text as labels, j.description,
  j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from unnest($2::text[]) with ordinality as n (name, place)
cross join lateral (
  select j.*
  from jobs j
  where j.tenant_id = $1::bigint and j.name = n.name collate "C" and j.status <> :deleted
    and ($3::smallint is null or $3 = case
      when j.status = :paused and j.paused_until <= coalesce($6::timestamptz, clock_timestamp())
        then :active
      else j.status end)
    and j.job_type = coalesce($4::text, j.job_type)
    and (not $7::boolean or (
      select count(*) from failing f where f.partition = j.partition and f.job_id = j.id) > 0)
    and cardinality($5::text[]) = (
      select count(*)
      from unnest($5) as w (label)
      cross join lateral (
        select from job_labels l
        where l.tenant_id = $1 and l.label = w.label collate "C" and l.name = j.name
        offset 0
      ) as l)
  offset 0
) as j
order by n.place

-- name: health_of
-- $1 jobs
select h.run_key, h.state, h.scheduled_for, h.started_at, h.finished_at, h.error, h.reason,
  coalesce(f.in_a_row, 0), f.since
from unnest($1::bigint[]) with ordinality as a (job_id, place)
left join lateral (
  select x.*
  from history x
  where x.partition = (a.job_id & 65535)::integer and x.job_id = a.job_id
  order by x.scheduled_for desc
  limit 1
) as h on true
left join lateral (
  select x.*
  from failing x
  where x.partition = (a.job_id & 65535)::integer and x.job_id = a.job_id
  limit 1
) as f on true
order by a.place
