-- The definitions.

-- name: find_job
select * from job_rows where id = $1::bigint

-- name: find_job_by_name
select * from job_rows where tenant_id = $1::bigint and name = $2::text and status <> 4

-- name: match_jobs
-- $1 tenants, $2 names, $3 labels: the jobs of these names, each with its place in the list and
-- whether it has these labels, which come back written in another way
select i.n, r.labels::jsonb = i.labels::jsonb, r.*
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as i (tenant_id, name, labels, n)
cross join lateral (
  select r.*
  from job_rows r
  where r.tenant_id = i.tenant_id and r.name = i.name and r.status <> 4
  limit 1
) as r

-- name: job_to_change
-- $1 job, $2 the new labels, or null
select coalesce(r.labels::jsonb = $2::text::jsonb, true), r.* from job_rows r where r.id = $1::bigint

-- name: load_partition
-- one statement, so that jobs, cursor and version are of one snapshot; the columns of job_rows, but
-- for those that an owner has no use for
select p.decided_through, p.jobs_version,
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note
from partitions p
left join jobs j on j.partition = p.id and j.status <> 4 and j.status in (0, 1)
where p.id = $1::integer

-- name: load_changes
-- $1 partition, $2 since. The third column: how many versions since then are still known.
with
changes as materialized (
  select c.version, c.job_id
  from job_changes c
  where c.partition = $1::integer and c.version > $2::bigint
)
select p.decided_through, p.jobs_version, (select count(distinct version) from changes),
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note
from partitions p
left join jobs j on j.id = any (array(select job_id from changes))
where p.id = $1
