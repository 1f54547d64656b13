-- Who did what, what was asked before, and what changed.

alter table jobs
  add column paused_by  text not null default '',
  add column pause_note text not null default '';

-- Registration looks the tenants up itself, once. The foreign key did it once for each job, and locked
-- the tenant's row each time; no tenant is ever deleted.
alter table jobs drop constraint jobs_tenant_id_fkey;
-- Written a thousand times for each time it is read: half the cost of jsonb.
alter table job_revisions alter column schedule type json;

drop view job_rows;
-- A job with what its revision says, in the order postgres/job_columns.cc reads.
create view job_rows as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  v.target::text as target, v.payload::text as payload, j.labels::text as labels, j.description,
  j.paused_by, j.pause_note,
  j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;

-- Requests that may come twice: what the first one led to.
create table idempotency (
  tenant_id   bigint not null,
  key         text not null,
  fingerprint text not null,
  job_ids     bigint[] not null,
  at          timestamptz not null,
  primary key (tenant_id, key)
);
create index idempotency_age on idempotency (at);

-- Change events for whoever listens. Numbers are drawn before transactions commit, so they become
-- visible in another order: a reader goes by transaction, and no further than where all have ended.
drop table outbox;
create table outbox (
  transaction xid8 not null default pg_current_xact_id(),
  seq         bigint generated always as identity,
  at          timestamptz not null,
  tenant_id   bigint not null,
  kind        smallint not null,              -- 0 jobs, 1 runs
  count       bigint not null,
  news        text not null,                  -- of at most 20: job:revision:status or job:key:state
  primary key (transaction, seq)
);
