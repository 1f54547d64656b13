-- Definitions. The columns of a job are always in the order of sqlite/job_row.

-- name: take_serials
update counters set value = value + ?1 where name = 'job_serials' returning value - ?1;

-- name: insert_job
insert into jobs (
  id, partition, tenant_id, revision, status, effective_from, paused_until,
  name, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
  every_micros, run_at, start_at, end_at, jitter_micros, calendar,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority,
  live_limit, exclusive, replaces, labels, description, created_at, updated_at,
  paused_by, pause_note, queue)
values (
  ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?37, ?38, ?39,
  nullif(?40, ''));

-- name: update_job
update jobs
set (revision, status, effective_from, paused_until,
  name, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
  every_micros, run_at, start_at, end_at, jitter_micros, calendar,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority,
  live_limit, exclusive, replaces, labels, description, updated_at, paused_by, pause_note,
  queue) = (
  ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20,
  ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37,
  ?38, ?39, nullif(?40, ''))
where id = ?1;

-- The schedule as the job's row has it now.
-- name: add_revision
insert into job_revisions (
  job_id, revision, effective_from, status, job_type, schedule, target, payload, created_at,
  name, paused_until, calendar_rules, overlap, max_concurrent, misfire, misfire_grace,
  max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority)
select id, revision, effective_from, status, job_type,
  json_object(
    'type', schedule_type, 'cron_expression', cron_expression, 'dialect', dialect,
    'timezone', timezone, 'dst_gap', dst_gap, 'dst_overlap', dst_overlap,
    'every_micros', every_micros, 'run_at', run_at, 'start_at', start_at, 'end_at', end_at,
    'jitter_micros', jitter_micros, 'calendar', calendar),
  ?2, ?3, ?4,
  name, paused_until, calendar_rules, overlap, max_concurrent, misfire, misfire_grace,
  max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority
from jobs
where id = ?1;

-- A pause that is over counts as none.
-- name: complete_job
update jobs
set status = 3, paused_until = null, paused_by = '', pause_note = '', updated_at = ?2
where id = ?1 and (status = 0 or (status = 1 and paused_until <= ?2))
returning tenant_id, revision;

-- How many jobs the tenant has, and how many it may have.
-- name: jobs_of_tenant
select (select coalesce(sum(jobs), 0) from tenant_jobs where tenant_id = t.id), t.max_jobs
from tenants t
where t.id = ?1;

-- name: count_jobs
insert into tenant_jobs (tenant_id, partition, jobs) values (?1, ?2, ?3)
on conflict (tenant_id, partition) do update set jobs = jobs + excluded.jobs;

-- name: raise_jobs_version
update partitions
set jobs_version = jobs_version + 1
where id = ?1
returning jobs_version;

-- name: add_job_change
insert into job_changes (partition, version, job_id, changed_at) values (?1, ?2, ?3, ?4);

-- name: job_by_id
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  j.labels, j.description, v.target, v.payload, j.paused_by, j.pause_note,
  j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from jobs j join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.id = ?1;

-- name: job_by_name
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  j.labels, j.description, v.target, v.payload, j.paused_by, j.pause_note,
  j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at
from jobs j join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.tenant_id = ?1 and j.name = ?2 and j.status <> 4;

-- Active and paused ones: the others cannot tick any more. An owner has no use for what they carry.
-- name: jobs_of_partition
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as labels, '' as description, '' as target, '' as payload, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from jobs j indexed by jobs_partition
where j.partition = ?1 and j.status <> 4 and j.status in (0, 1)
order by j.id;

-- name: changed_jobs
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as labels, '' as description, '' as target, '' as payload, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from (select distinct job_id from job_changes where partition = ?1 and version > ?2) c
  cross join jobs j on j.id = c.job_id
order by j.id;

-- Every version has a change; fewer versions than that mean that some were pruned.
-- name: count_known_versions
select count(distinct version) from job_changes where partition = ?1 and version > ?2;
