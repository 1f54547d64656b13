-- What workers show of an attempt; see sql/postgres.
create table run_logs (
  partition      integer not null,
  job_id         integer not null,
  run_key        integer not null,
  attempt        integer not null,
  log            text not null,
  progress_done  integer,
  progress_total integer,
  updated_at     integer not null,
  primary key (partition, job_id, run_key, attempt)
) strict;
create index run_logs_age on run_logs (updated_at);
