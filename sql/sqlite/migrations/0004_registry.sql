-- Who did what, what was asked before, and what changed.

alter table jobs add column paused_by text not null default '';
alter table jobs add column pause_note text not null default '';

-- Requests that may come twice: what the first one led to.
create table idempotency (
  tenant_id   integer not null,
  key         text not null,
  fingerprint text not null,
  job_ids     text not null,                  -- a JSON array
  at          integer not null,
  primary key (tenant_id, key)
) strict;
create index idempotency_age on idempotency (at);

-- Change events for whoever listens, in the order of their numbers.
drop table outbox;
create table outbox (
  seq       integer primary key autoincrement,
  at        integer not null,
  tenant_id integer not null,
  kind      integer not null,                 -- 0 jobs, 1 runs
  count     integer not null,
  news      text not null                     -- of at most 20: job:revision:status or job:key:state
) strict;
