-- What lists, keys, tenants and calendars need; see sql/postgres.

alter table jobs add column calendar_rules text not null default '';
alter table jobs add column calendar_revision integer not null default 0;
create index jobs_unusual on jobs (status, tenant_id, name) where status in (1, 2, 3);
create index jobs_typed on jobs (tenant_id, job_type, name) where status <> 4 and job_type <> 'default';
create index jobs_calendar on jobs (tenant_id, calendar, calendar_revision)
  where calendar <> '' and status <> 4;

-- The labels of all jobs but deleted ones, turned around: a rare one is found among a million jobs.
create table job_labels (
  tenant_id integer not null,
  label     text not null,                    -- key=value
  name      text not null,
  primary key (tenant_id, label, name)
) strict, without rowid;
insert into job_labels (tenant_id, label, name)
select j.tenant_id, l.key || '=' || l.value, j.name
from jobs j, json_each(j.labels) l
where j.status <> 4;

-- Enough to say what a job would have done at any time of its life.
alter table job_revisions add column name text not null default '';
alter table job_revisions add column paused_until integer;
alter table job_revisions add column calendar_rules text not null default '';
alter table job_revisions add column overlap integer not null default 0;
alter table job_revisions add column max_concurrent integer not null default 0;
alter table job_revisions add column misfire integer not null default 0;
alter table job_revisions add column misfire_grace integer not null default 0;
alter table job_revisions add column max_missed_firings integer not null default 0;
alter table job_revisions add column max_attempts integer not null default 0;
alter table job_revisions add column retry_base integer not null default 0;
alter table job_revisions add column retry_cap integer not null default 0;
alter table job_revisions add column timeout integer not null default 0;
alter table job_revisions add column priority integer not null default 0;
update job_revisions as v
set name = j.name, overlap = j.overlap, max_concurrent = j.max_concurrent, misfire = j.misfire,
  misfire_grace = j.misfire_grace, max_missed_firings = j.max_missed_firings,
  max_attempts = j.max_attempts, retry_base = j.retry_base, retry_cap = j.retry_cap,
  timeout = j.timeout, priority = j.priority
from jobs j
where j.id = v.job_id;

create index history_tenant on history (tenant_id, finished_at);
create index history_unhappy on history (tenant_id, state, finished_at) where state <> 3;

-- Runs as lists show them, in the order sqlite/run_lists.cc reads. Never payloads or results.
create view live_rows as
select r.job_id, r.run_key, r.state, r.origin, r.scheduled_for, r.decided_at, r.started_at,
  null as finished_at, r.attempt, r.fence, r.revision, r.stands_for, r.epoch, r.node,
  r.worker, null as result, '' as error, r.tenant_id,
  (select j.name from jobs j where j.id = r.job_id) as job_name, r.job_type, r.max_attempts,
  r.due_at, r.lease_until, r.deadline, r.cancel_requested, r.partition
from runs r;

create view past_rows as
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node,
  h.worker, null as result, h.error, h.tenant_id,
  (select j.name from jobs j where j.id = h.job_id) as job_name, h.job_type,
  (select v.max_attempts from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision) as max_attempts,
  null as due_at, null as lease_until, null as deadline, 0 as cancel_requested, h.partition
from history h;

alter table tenants add column max_requests integer not null default 0 check (max_requests >= 0);

create table api_keys (
  id         integer primary key,
  tenant_id  integer not null references tenants (id),
  name       text not null,
  hash       blob not null unique check (length(hash) = 32),  -- SHA-256
  scope      integer not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  created_by text not null
) strict;
create index api_keys_tenant on api_keys (tenant_id, id);

create index if not exists audit_tenant on audit (tenant_id, seq);

create table calendars (
  tenant_id  integer not null references tenants (id),
  name       text not null,
  rules      text not null,                   -- one to a line
  revision   integer not null,
  followed   integer not null,                -- all jobs that use it have at least this revision
  updated_at integer not null,
  primary key (tenant_id, name)
) strict, without rowid;
create index calendars_behind on calendars (tenant_id, name) where followed < revision;
