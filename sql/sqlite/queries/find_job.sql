-- One definition.

-- name: find_job
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, j.labels, j.description, v.target, v.payload, j.paused_by, j.pause_note,
  j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from jobs j join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.id = ?1;

-- name: find_job_by_name
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, j.labels, j.description, v.target, v.payload, j.paused_by, j.pause_note,
  j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from jobs j join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.tenant_id = ?1 and j.name = ?2 and j.status <> :deleted;
