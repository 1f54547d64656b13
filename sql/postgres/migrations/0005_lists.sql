-- What lists, keys, tenants and calendars need.

-- ---- Jobs ----

drop view job_rows;
-- Lists are ordered by the bytes of a name: the same on every machine, whatever its locale.
alter table jobs
  alter column name type text collate "C",
  add column calendar_rules    text not null default '',    -- a copy: what its ticks are decided by
  add column calendar_revision integer not null default 0;  -- which of the calendar's it is a copy of
-- Both leave out what most jobs are, so that most jobs cost nothing.
create index jobs_unusual on jobs (status, tenant_id, name) where status in (1, 2, 3);
create index jobs_typed on jobs (tenant_id, job_type, name) where status <> 4 and job_type <> 'default';
create index jobs_calendar on jobs (tenant_id, calendar, calendar_revision)
  where calendar <> '' and status <> 4;

-- The labels of all jobs but deleted ones, turned around: a rare one is found among a million jobs.
create table job_labels (
  tenant_id bigint not null,
  label     text collate "C" not null,        -- key=value
  name      text collate "C" not null,
  primary key (tenant_id, label, name)
);
insert into job_labels (tenant_id, label, name)
select j.tenant_id, l.key || '=' || l.value, j.name
from jobs j cross join lateral jsonb_each_text(j.labels) as l
where j.status <> 4;

-- Enough to say what a job would have done at any time of its life.
alter table job_revisions
  add column name               text collate "C" not null default '',
  add column paused_until       timestamptz,
  add column calendar_rules     text not null default '',
  add column overlap            smallint not null default 0,
  add column max_concurrent     integer not null default 0,
  add column misfire            smallint not null default 0,
  add column misfire_grace      bigint not null default 0,
  add column max_missed_firings integer not null default 0,
  add column max_attempts       integer not null default 0,
  add column retry_base         bigint not null default 0,
  add column retry_cap          bigint not null default 0,
  add column timeout            bigint not null default 0,
  add column priority           integer not null default 0;
-- Of revisions before this one only the last is known: better than nothing.
update job_revisions v
set name = j.name, overlap = j.overlap, max_concurrent = j.max_concurrent, misfire = j.misfire,
  misfire_grace = j.misfire_grace, max_missed_firings = j.max_missed_firings,
  max_attempts = j.max_attempts, retry_base = j.retry_base, retry_cap = j.retry_cap,
  timeout = j.timeout, priority = j.priority
from jobs j
where j.id = v.job_id;

-- A job with what its revision says, in the order postgres/job_columns.cc reads.
create view job_rows as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  v.target::text as target, v.payload::text as payload, j.labels::text as labels, j.description,
  j.paused_by, j.pause_note, j.calendar_rules, j.calendar_revision, j.created_at, j.updated_at, j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;

-- ---- Runs ----

create index history_tenant on history (tenant_id, finished_at);
-- Most runs succeed and are not in here.
create index history_unhappy on history (tenant_id, state, finished_at) where state <> 3;

-- Runs as lists show them, in the order postgres/run_lists.cc reads. Never payloads or results.
create view live_rows as
select r.job_id, r.run_key, r.state, r.origin, r.scheduled_for, r.decided_at, r.started_at,
  null::timestamptz as finished_at, r.attempt, r.fence, r.revision, r.stands_for, r.epoch, r.node,
  r.worker, null::text as result, '' as error, r.tenant_id,
  (select j.name from jobs j where j.id = r.job_id) as job_name, r.job_type, r.max_attempts,
  r.due_at, r.lease_until, r.deadline, r.cancel_requested, r.partition
from runs r;

create view past_rows as
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node,
  h.worker, null::text as result, h.error, h.tenant_id,
  (select j.name from jobs j where j.id = h.job_id) as job_name, h.job_type,
  (select v.max_attempts from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision) as max_attempts,
  null::timestamptz as due_at, null::timestamptz as lease_until, null::timestamptz as deadline,
  false as cancel_requested, h.partition
from history h;

-- ---- Administration ----

alter table tenants
  alter column name type text collate "C",
  add column max_requests integer not null default 0 check (max_requests >= 0);

create table api_keys (
  id         bigint generated by default as identity primary key,
  tenant_id  bigint not null references tenants (id),
  name       text not null,
  hash       bytea not null unique check (length(hash) = 32),  -- SHA-256
  scope      smallint not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_by text not null
);
create index api_keys_tenant on api_keys (tenant_id, id);

create index if not exists audit_tenant on audit (tenant_id, seq);

create table calendars (
  tenant_id  bigint not null references tenants (id),
  name       text collate "C" not null,
  rules      text not null,                   -- one to a line
  revision   integer not null,
  followed   integer not null,                -- all jobs that use it have at least this revision
  updated_at timestamptz not null,
  primary key (tenant_id, name)
);
create index calendars_behind on calendars (tenant_id, name) where followed < revision;
