-- A new revision of a definition, or another status. The columns of a job always come in the order
-- that store/sqlite/jobs/job_row.cc reads them in.

-- name: fate_of_tick
-- ?1 partition, ?2 job, ?3 the key of its run, ?4 tick: how many fates it has, live, past or skipped.
-- Of a range of skips only the first is looked for: its definition says what lies within.
select (
  select count(*) from runs where partition = ?1 and job_id = ?2 and run_key = ?3
) + (
  select count(*) from history
  where partition = ?1 and job_id = ?2 and scheduled_for = ?4 and run_key = ?3
) + (
  select count(*) from skips where partition = ?1 and job_id = ?2 and first_tick = ?4
);

-- name: update_job
update jobs
set (revision, status, effective_from, paused_until,
  name, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
  every_micros, run_at, start_at, end_at, jitter_micros, calendar, calendar_policy,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within, run_in,
  live_limit, exclusive, replaces, labels, description, updated_at, paused_by, pause_note,
  queue) = (
  ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39,
  ?40, ?41, ?42, ?43, nullif(?44, ''))
where id = ?1;

-- name: add_revision
-- The schedule as the job's row has it now, and what decides nothing with it.
insert into job_revisions (
  job_id, revision, effective_from, status, job_type, schedule, target, payload, created_at,
  name, paused_until, calendar_rules, overlap, max_concurrent, misfire, misfire_grace,
  max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority,
  start_within, stop_within, run_in)
select id, revision, effective_from, status, job_type,
  json_object(
    'type', schedule_type, 'cron_expression', cron_expression, 'dialect', dialect,
    'timezone', timezone, 'dst_gap', dst_gap, 'dst_overlap', dst_overlap,
    'every_micros', every_micros, 'run_at', run_at, 'start_at', start_at, 'end_at', end_at,
    'jitter_micros', jitter_micros, 'calendar', calendar,
    'calendar_policy', calendar_policy, 'labels', json(labels), 'description', description),
  ?2, ?3, ?4,
  name, paused_until, calendar_rules, overlap, max_concurrent, misfire, misfire_grace,
  max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority,
  start_within, stop_within, run_in
from jobs
where id = ?1;

-- name: add_to_job_count
insert into tenant_jobs (tenant_id, partition, jobs) values (?1, ?2, ?3)
on conflict (tenant_id, partition) do update set jobs = jobs + excluded.jobs;

-- name: raise_jobs_version
update partitions
set jobs_version = jobs_version + 1
where id = ?1
returning jobs_version;

-- name: add_job_change
insert into job_changes (partition, version, job_id, changed_at) values (?1, ?2, ?3, ?4);

-- name: runs_in_line
-- ?3 whether all that wait are asked for
select run_key
from runs
where partition = ?1 and job_id = ?2 and state <> :running
  and (?3 or (state = :ready and due_at > scheduled_for));
