-- The definitions of a partition, for its owner.

-- name: load_partition
-- Active and paused jobs: the others cannot tick any more. Without target and payload, which an
-- owner has no use for.
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as labels, '' as description, '' as target, '' as payload, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from jobs j indexed by jobs_partition
where j.partition = ?1 and j.status <> :deleted and j.status in (:active, :paused)
order by j.id;

-- name: load_job
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as labels, '' as description, '' as target, '' as payload, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from jobs j
where j.id = ?1;

-- name: changed_jobs
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, '' as labels, '' as description, '' as target, '' as payload, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from (select distinct job_id from job_changes where partition = ?1 and version > ?2) c
  cross join jobs j on j.id = c.job_id
order by j.id;

-- name: count_known_versions
-- Every version has a change; fewer versions mean that some were pruned.
select count(distinct version) from job_changes where partition = ?1 and version > ?2;
