-- What workers show of an attempt: the output that is kept of it, and how far it is. Written while it
-- runs, and as old as the history.
create table run_logs (
  partition      integer not null,
  job_id         bigint not null,
  run_key        bigint not null,
  attempt        integer not null,
  log            text not null,
  progress_done  bigint,
  progress_total bigint,
  updated_at     timestamptz not null,
  primary key (partition, job_id, run_key, attempt)
);
create index run_logs_age on run_logs (updated_at);
