-- Finding jobs; see sql/postgres. ?1 tenant, ?2 the name to go on after, ?3 how many.

-- name: names_of_all
select name from jobs indexed by jobs_name
where tenant_id = ?1 and status <> :deleted and name > ?2
order by name
limit ?3;

-- name: names_of_status
select name from jobs indexed by jobs_unusual
where status = ?4 and status in (:paused, :job_cancelled, :completed) and tenant_id = ?1 and name > ?2
order by name
limit ?3;

-- name: names_of_type
select name from jobs indexed by jobs_typed
where tenant_id = ?1 and job_type = ?4 and job_type <> 'default' and status <> :deleted and name > ?2
order by name
limit ?3;

-- name: names_of_label
select name from job_labels
where tenant_id = ?1 and label = ?4 and name > ?2
order by name
limit ?3;

-- name: has_label
select 1 from job_labels where tenant_id = ?1 and label = ?2 and name = ?3;

-- name: names_of_failing
-- Few jobs fail at a time, so they are sorted anew for each page.
select j.name from failing f cross join jobs j on j.id = f.job_id
where f.tenant_id = ?1 and j.status <> :deleted and j.name > ?2
order by j.name
limit ?3;

-- name: names_of_checkins
-- Few jobs have a token, so they are sorted anew for each page.
select j.name from checkins c cross join jobs j on j.id = c.job_id
where j.tenant_id = ?1 and j.status <> :deleted and j.name > ?2
order by j.name
limit ?3;

-- name: listed_job
-- ?3 status, ?4 type, ?5 now, ?6 whether failing ones only
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, j.labels, j.description, '' as target, '' as payload,
  j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from jobs j
where j.tenant_id = ?1 and j.name = ?2 and j.status <> :deleted
  and (?3 is null or ?3 = iif(j.status = :paused and j.paused_until <= ?5, :active, j.status))
  and j.job_type = coalesce(?4, j.job_type)
  and (not ?6 or exists (select 1 from failing f where f.job_id = j.id));

-- name: last_run_of
-- ?1 partition, ?2 job
select run_key, state, scheduled_for, started_at, finished_at, error, reason
from history indexed by history_job
where partition = ?1 and job_id = ?2
order by scheduled_for desc
limit 1;

-- name: failures_of
select in_a_row, since from failing where job_id = ?1;
