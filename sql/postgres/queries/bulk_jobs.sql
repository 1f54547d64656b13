-- Jobs that bulk work selects and changes. A search walks along the names of a tenant: $1 clock, $2 tenant,
-- $3 the name to go on after, $4 how many names to look at, $5 their beginning, $6 a part of them in small
-- letters, $7 status, $8 type, $9 whether failing ones only, $10 terms of labels, $11 not jobs made after
-- this, $12 how many jobs.

-- name: count_selected
with
seen as materialized (
  select j.id, j.name,
    -- include: selected
    as matches
  from (
    -- include: looked_at
  ) as j
),
counted as (
  select count(*) as names, max(s.name) as last, count(*) filter (where s.matches) as jobs from seen s
)
select c.names, c.last, c.jobs, h.id, h.name
from counted c
left join (
  select s.id, s.name from seen s where s.matches order by s.name limit $12::bigint
) as h on true
order by h.name

-- name: next_selected
-- It stops looking once it has enough.
select j.id, j.name
from (
  -- include: looked_at
) as j
where
  -- include: selected
order by j.name
limit $12::bigint

-- name: names_looked_at
-- $1 tenant, $2 the name to go on after, $3 how many names, $4 their beginning. How many there were to look
-- at, and the last of them.
select count(*), max(n.name)
from (
  select j.name
  from jobs j
  where j.tenant_id = $1::bigint and j.status <> :deleted and j.name > $2::text
    and j.name >= $4::text collate "C" and j.name < $4 || chr(1114111) collate "C"
  order by j.name
  limit $3::bigint
) as n

-- name: jobs_to_restate
-- $1 jobs. Without target, payload and description, which stay as they are.
select
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as target, '' as payload, j.labels, '' as description, j.paused_by, j.pause_note,
  j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from unnest($1::bigint[]) as i (id)
cross join lateral (select * from jobs j where j.id = i.id limit 1) as j

-- name: jobs_to_change
-- $1 jobs. The revision is looked up first, so that one is read of each job, not all.
select r.*
from unnest($1::bigint[]) as i (id)
cross join lateral (select j.revision from jobs j where j.id = i.id limit 1) as j
cross join lateral (
  select x.* from job_rows_4 x where x.id = i.id and x.revision = j.revision limit 1
) as r
order by r.id
