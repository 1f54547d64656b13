-- What becomes of ticks that a job's calendar closes (core/schedule/rhythm.h): they are skipped, or the
-- newest runs when it opens. A revision has it in its `schedule`; one without it skips.
alter table jobs add column calendar_policy smallint not null default 0;

-- Nodes of before go on with the types and views they know.
create type new_job_5 as (
  id bigint, partition integer, tenant_id bigint, name text, revision integer, status smallint,
  effective_from timestamptz, job_type text,
  schedule_type smallint, cron_expression text, dialect smallint, timezone text, dst_gap smallint,
  dst_overlap smallint, every_micros bigint, run_at timestamptz, start_at timestamptz,
  end_at timestamptz, jitter_micros bigint, calendar text, calendar_policy smallint,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, start_within bigint, stop_within bigint, run_in smallint,
  live_limit integer, exclusive boolean, replaces boolean, labels jsonb, description text,
  created_at timestamptz, updated_at timestamptz, paused_by text, queue text, calendar_rules text,
  calendar_revision integer, terms uuid);

create view job_rows_4 as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.calendar_policy, j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, v.target::text as target, v.payload::text as payload, j.labels::text as labels,
  j.description, j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at,
  j.updated_at, j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;
