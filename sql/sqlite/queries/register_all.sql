-- New definitions.

-- name: savepoint
savepoint request;

-- name: release_savepoint
release request;

-- name: rollback_to_savepoint
rollback to request;

-- name: take_serials
update counters set value = value + ?1 where name = 'job_serials' returning value - ?1;

-- name: jobs_of_tenant
-- How many jobs the tenant has, and how many it may have.
select (select coalesce(sum(jobs), 0) from tenant_jobs where tenant_id = t.id), t.max_jobs
from tenants t
where t.id = ?1;

-- name: insert_job
insert into jobs (
  id, partition, tenant_id, revision, status, effective_from, paused_until,
  name, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
  every_micros, run_at, start_at, end_at, jitter_micros, calendar, calendar_policy,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within, run_in,
  live_limit, exclusive, replaces, labels, description, created_at, updated_at,
  paused_by, pause_note, queue)
values (
  ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?41, ?42,
  ?43, nullif(?44, ''));
