-- Check-ins: by which token the work of a job that is done elsewhere reports, and a report that came
-- before the tick it belongs to was decided.
create table checkins (
  job_id       bigint primary key references jobs (id),
  token        text collate "C" not null unique,
  created_at   timestamptz not null,
  created_by   text not null,
  early_at     timestamptz,
  early_report text
);
create index checkins_early on checkins (early_at) where early_at is not null;
