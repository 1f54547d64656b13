-- Whose workers may have the runs of a job (core/job.h): those of its home region, or any.
--
-- Until now runs went to any. Where there is more than one region, what is there already goes on like
-- that. A default that is set with the column costs no row a write, however many there are.
do $$
declare
  of_before constant text := case when (select count(*) from regions) > 1 then '1' else '0' end;
  name text;
begin
  foreach name in array array['jobs', 'job_revisions', 'runs'] loop
    execute format('alter table %I add column run_in smallint not null default %s', name, of_before);
    execute format('alter table %I alter column run_in set default 0', name);
  end loop;
end
$$;

-- Nodes of before go on with the types and views they know.
create type new_job_4 as (
  id bigint, partition integer, tenant_id bigint, name text, revision integer, status smallint,
  effective_from timestamptz, job_type text,
  schedule_type smallint, cron_expression text, dialect smallint, timezone text, dst_gap smallint,
  dst_overlap smallint, every_micros bigint, run_at timestamptz, start_at timestamptz,
  end_at timestamptz, jitter_micros bigint, calendar text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, start_within bigint, stop_within bigint, run_in smallint,
  live_limit integer, exclusive boolean, replaces boolean, labels jsonb, description text,
  created_at timestamptz, updated_at timestamptz, paused_by text, queue text, calendar_rules text,
  calendar_revision integer, terms uuid);
create type new_revision_3 as (
  job_id bigint, revision integer, effective_from timestamptz, status smallint, job_type text,
  schedule json, target json, payload json, created_at timestamptz, name text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, start_within bigint, stop_within bigint, run_in smallint,
  calendar_rules text);

create view job_rows_3 as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  j.run_in, v.target::text as target, v.payload::text as payload, j.labels::text as labels,
  j.description, j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at,
  j.updated_at, j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;
