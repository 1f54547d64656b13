-- The tables of Belfry. Same numbers, names and meanings as sql/postgres; docs/internals/protocol.md
-- explains partitions, epochs and cursors. Times are microseconds since 1970, ids of processes are
-- blobs of 16 bytes, JSON is text; small enums are integers in the order of the C++ enums.

create table regions (
  no   integer primary key,
  name text not null unique
) strict;

-- The serialisation point: job changes and tick decisions of a partition are ordered by its row.
create table partitions (
  id              integer primary key,        -- region * 256 + slice
  owner           blob,                       -- a node's incarnation
  epoch           integer not null default 0,
  decided_through integer not null,
  jobs_version    integer not null default 0
) strict;

create table nodes (
  incarnation blob primary key,
  name        text not null,
  region      integer not null,
  started_at  integer not null,
  lease_until integer not null
) strict;

create table leases (
  name        text primary key,
  holder      blob not null,
  term        integer not null,
  lease_until integer not null
) strict;

create table tenants (
  id            integer primary key,
  name          text not null unique,
  weight        integer not null default 1 check (weight > 0),
  max_in_flight integer not null default 0 check (max_in_flight >= 0),
  created_at    integer not null
) strict;

-- The two counters a server would keep as sequences.
create table counters (
  name  text primary key,
  value integer not null
) strict;
insert into counters values ('job_serials', 0), ('fences', 0);

create table jobs (
  id                 integer primary key,      -- serial << 16 | partition
  partition          integer not null,
  tenant_id          integer not null references tenants (id),
  name               text not null,
  revision           integer not null,
  status             integer not null,
  effective_from     integer not null,
  paused_until       integer,
  job_type           text not null,
  -- the schedule
  schedule_type      integer not null,
  cron_expression    text not null,
  dialect            integer not null,
  timezone           text not null,
  dst_gap            integer not null,
  dst_overlap        integer not null,
  every_micros       integer not null,
  run_at             integer not null,
  start_at           integer,
  end_at             integer,
  jitter_micros      integer not null,
  calendar           text not null,
  -- the policies
  overlap            integer not null,
  max_concurrent     integer not null,
  misfire            integer not null,
  misfire_grace      integer not null,         -- microseconds, as all durations
  max_missed_firings integer not null,
  max_attempts       integer not null,
  retry_base         integer not null,
  retry_cap          integer not null,
  timeout            integer not null,
  priority           integer not null,
  -- what the decision needs of the overlap policy, worked out by core/overlap
  live_limit         integer not null,        -- a tick beyond so many live runs is skipped
  exclusive          integer not null,        -- its runs are never handed out two at a time
  replaces           integer not null,        -- a new run cancels the live ones
  labels             text not null,
  description        text not null,
  created_at         integer not null,
  updated_at         integer not null
) strict;
create unique index jobs_name on jobs (tenant_id, name) where status <> 4;
create index jobs_partition on jobs (partition) where status <> 4;

-- What each revision said; a run points to the one it was decided by.
create table job_revisions (
  job_id         integer not null,
  revision       integer not null,
  effective_from integer not null,
  status         integer not null,
  job_type       text not null,
  schedule       text not null,
  target         text not null,
  payload        text not null,
  created_at     integer not null,
  primary key (job_id, revision)
) strict;

-- Which jobs changed with which version of their partition: what an owner reads to keep up.
create table job_changes (
  partition  integer not null,
  version    integer not null,
  job_id     integer not null,
  changed_at integer not null,
  primary key (partition, version, job_id)
) strict;

-- Live runs only: ready, running, retrying.
create table runs (
  partition     integer not null,
  job_id        integer not null,
  run_key       integer not null,              -- the tick in microseconds, or a random number below zero
  tenant_id     integer not null,
  job_type      text not null,
  revision      integer not null,
  origin        integer not null,
  state         integer not null check (state between 0 and 2),
  priority      integer not null,
  scheduled_for integer not null,
  due_at        integer not null,
  decided_at    integer not null,
  stands_for    integer not null,
  exclusive     integer not null,
  attempt       integer not null default 0,
  max_attempts  integer not null,
  retry_base    integer not null,
  retry_cap     integer not null,
  timeout       integer not null,
  fence         integer not null default 0,
  worker        text not null default '',
  started_at    integer,
  lease_until   integer,
  deadline      integer,
  cancel_requested integer not null default 0,
  epoch         integer not null,
  node          blob not null,
  payload       text,                        -- instead of the revision's
  primary key (partition, job_id, run_key)
) strict, without rowid;
create index runs_ready on runs (job_type, tenant_id, priority desc, due_at) where state <> 1;
create index runs_leases on runs (min(lease_until, deadline)) where state = 1;
create index runs_in_flight on runs (tenant_id, job_id) where state = 1;
create index runs_due on runs (due_at) where state <> 1;

create table skips (
  partition  integer not null,
  job_id     integer not null,
  first_tick integer not null,
  last_tick  integer not null,
  count      integer not null check (count > 0),
  reason     integer not null,
  open       integer not null,                -- the next skip for the same reason extends it
  decided_at integer not null,
  epoch      integer not null,
  primary key (partition, job_id, first_tick)
) strict;
create unique index skips_open on skips (partition, job_id) where open = 1;

-- What is over. Append-only; what is older than the retention is deleted by its end.
create table history (
  partition     integer not null,
  job_id        integer not null,
  run_key       integer not null,
  tenant_id     integer not null,
  job_type      text not null,
  revision      integer not null,
  origin        integer not null,
  state         integer not null,
  scheduled_for integer not null,
  decided_at    integer not null,
  started_at    integer,
  finished_at   integer not null,
  stands_for    integer not null,
  attempt       integer not null,
  fence         integer not null,
  worker        text not null,
  epoch         integer not null,
  node          blob not null,
  result        text,
  error         text not null
) strict;
create index history_job on history (partition, job_id, scheduled_for);
create index history_end on history (finished_at);
-- A scheduled run is found by its tick; one without a tick only by its key.
create index history_key on history (partition, job_id, run_key) where origin <> 0;

create table attempts (
  partition   integer not null,
  job_id      integer not null,
  run_key     integer not null,
  attempt     integer not null,
  fence       integer not null,
  outcome     integer not null,
  worker      text not null,
  started_at  integer not null,
  finished_at integer not null,
  error       text not null
) strict;
create index attempts_run on attempts (partition, job_id, run_key);
create index attempts_end on attempts (finished_at);

-- Change events for whoever listens, in the order of their numbers.
create table outbox (
  seq       integer primary key autoincrement,
  at        integer not null,
  tenant_id integer not null,
  kind      text not null,
  job_id    integer not null,
  run_key   integer,
  body      text not null
) strict;

create table audit (
  seq       integer primary key autoincrement,
  at        integer not null,
  tenant_id integer not null,
  actor     text not null,
  action    text not null,
  object    text not null,
  detail    text not null
) strict;
