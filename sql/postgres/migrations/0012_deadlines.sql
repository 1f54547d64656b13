-- A run has a time to start, and a cancelled one a time to stop.
alter table jobs
  add column start_within bigint not null default 86400000000,
  add column stop_within bigint not null default 30000000;
alter table job_revisions
  add column start_within bigint not null default 86400000000,
  add column stop_within bigint not null default 30000000;
-- When a run that nobody has started is given up.
alter table runs add column start_by timestamptz;

-- Which call handed the run out, so that whoever lost its reply finds what it was given; and the
-- node that works on it itself, with which its work ends.
alter table runs
  add column claim bigint not null default 0,
  add column holder uuid;

-- A node that has left in good order has no row: it ends its work itself.
create function is_gone(node uuid, at timestamptz) returns boolean
  language sql stable
as $$
  select node is not null and exists (
    select from nodes n where n.incarnation = node and n.lease_until <= at)
$$;

-- Why a run is a dead letter (core/run.h); 0 where it is none, and for those of before.
alter table history add column reason smallint not null default 0;

-- Pauses end by themselves.
create index jobs_pauses on jobs (paused_until) where status = 1 and paused_until is not null;

-- Jobs whose last run failed, and how many in a row. Nothing is written here while all goes well.
create table failing (
  partition integer not null,
  job_id    bigint not null,
  tenant_id bigint not null,
  in_a_row  bigint not null,
  since     timestamptz not null,
  primary key (partition, job_id)
);
create index failing_of_tenant on failing (tenant_id);

-- Nodes of before go on with the types and views they know.
create type new_job_3 as (
  id bigint, partition integer, tenant_id bigint, name text, revision integer, status smallint,
  effective_from timestamptz, job_type text,
  schedule_type smallint, cron_expression text, dialect smallint, timezone text, dst_gap smallint,
  dst_overlap smallint, every_micros bigint, run_at timestamptz, start_at timestamptz,
  end_at timestamptz, jitter_micros bigint, calendar text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, start_within bigint, stop_within bigint,
  live_limit integer, exclusive boolean, replaces boolean, labels jsonb, description text,
  created_at timestamptz, updated_at timestamptz, paused_by text, queue text, calendar_rules text,
  calendar_revision integer, terms uuid);
create type new_revision_2 as (
  job_id bigint, revision integer, effective_from timestamptz, status smallint, job_type text,
  schedule json, target json, payload json, created_at timestamptz, name text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, start_within bigint, stop_within bigint, calendar_rules text);

create view job_rows_2 as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority, j.start_within, j.stop_within,
  v.target::text as target, v.payload::text as payload, j.labels::text as labels, j.description,
  j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at,
  j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;

create view live_rows_2 as
select r.job_id, r.run_key, r.state, r.origin, r.scheduled_for, r.decided_at, r.started_at,
  null::timestamptz as finished_at, r.attempt, r.fence, r.revision, r.stands_for, r.epoch, r.node,
  r.worker, null::text as result, ''::text as error, r.tenant_id,
  (select j.name from jobs j where j.id = r.job_id) as job_name,
  r.job_type, r.max_attempts, r.due_at, r.lease_until, r.deadline, r.cancel_requested,
  0::smallint as reason, r.partition
from runs r;

create view past_rows_2 as
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node, h.worker,
  null::text as result, h.error, h.tenant_id,
  (select j.name from jobs j where j.id = h.job_id) as job_name,
  h.job_type,
  (select v.max_attempts
    from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision) as max_attempts,
  null::timestamptz as due_at, null::timestamptz as lease_until, null::timestamptz as deadline,
  false as cancel_requested, h.reason, h.partition
from history h;
