-- Check-ins: by which token the work of a job that is done elsewhere reports, and a report that came
-- before the tick it belongs to was decided.
create table checkins (
  job_id       integer primary key references jobs (id),
  token        text not null unique,
  created_at   integer not null,
  created_by   text not null,
  early_at     integer,
  early_report text
) strict;
create index checkins_early on checkins (early_at) where early_at is not null;
