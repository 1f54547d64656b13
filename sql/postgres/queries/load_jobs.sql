-- The definitions of a partition, for its owner.

-- name: load_partition
-- one statement, so that jobs, cursor and version are of one snapshot; the columns of job_rows,
-- without those that an owner has no use for
select p.decided_through, p.jobs_version,
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from partitions p
left join lateral (
  select * from jobs j
  where j.partition = p.id and j.status = :active and j.terms is not null
  union all
  select * from jobs j
  where j.partition = p.id and (j.status = :paused or j.status = :active and j.terms is null)
) as j on true
where p.id = $1::integer

-- name: load_cursor
-- with the era, which the epochs of this timeline have above their lower 40 bits
select p.decided_through, p.jobs_version,
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1
from partitions p
where p.id = $1::integer

-- name: load_terms
-- Active jobs that share their terms, from the index alone; the order makes the planner take it.
select j.id, j.effective_from, j.terms
from jobs j
where j.partition = $1::integer and j.status = :active and j.terms is not null
order by j.partition, j.id

-- name: load_rest
-- the others that can tick
select
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from jobs j
where j.partition = $1::integer
  and (j.status = :paused or j.status = :active and j.terms is null)

-- name: load_jobs
select
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from unnest($1::bigint[]) as i (id)
cross join lateral (select * from jobs j where j.id = i.id limit 1) as j

-- name: load_changes
-- $1 partitions, $2 the versions known of them; whether a job can still tick, and its terms if they say
-- all that load_terms would.
-- A partition has no row when some changes since then are no longer known: each version has at least
-- one change until it is pruned.
select a.place, p.decided_through, p.jobs_version, j.id, j.effective_from,
  j.status in (:active, :paused), case when j.status = :active then j.terms end
from unnest($1::integer[], $2::bigint[]) with ordinality as a (partition, known, place)
cross join lateral (
  select p.decided_through, p.jobs_version from partitions p where p.id = a.partition limit 1
) as p
cross join lateral (
  select count(distinct c.version) as versions, array_agg(c.job_id) as jobs
  from job_changes c
  where c.partition = a.partition and c.version > a.known
) as c
left join lateral (select * from jobs j where j.id = any (c.jobs)) as j on true
where c.versions = p.jobs_version - a.known
