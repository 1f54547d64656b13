-- A node that renews reads its own partitions and counts the others'.
create index partitions_owner on partitions (owner);

-- Small rows that are found by their keys are kept in the order of their keys: one tree less to write.
create table attempts_by_key (
  partition   integer not null,
  job_id      integer not null,
  run_key     integer not null,
  fence       integer not null,
  attempt     integer not null,
  outcome     integer not null,
  worker      text not null,
  started_at  integer not null,
  finished_at integer not null,
  error       text not null,
  primary key (partition, job_id, run_key, fence)
) strict, without rowid;
insert into attempts_by_key (
  partition, job_id, run_key, fence, attempt, outcome, worker, started_at, finished_at, error)
select partition, job_id, run_key, fence, attempt, outcome, worker, started_at, finished_at, error
from attempts;
drop table attempts;
alter table attempts_by_key rename to attempts;
create index attempts_end on attempts (finished_at);

create table skips_by_key (
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
) strict, without rowid;
insert into skips_by_key (
  partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
select partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch
from skips;
drop table skips;
alter table skips_by_key rename to skips;
create unique index skips_open on skips (partition, job_id) where open = 1;
