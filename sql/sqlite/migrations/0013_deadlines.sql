-- A run has a time to start, and a cancelled one a time to stop.
alter table jobs add column start_within integer not null default 86400000000;
alter table jobs add column stop_within integer not null default 30000000;
alter table job_revisions add column start_within integer not null default 86400000000;
alter table job_revisions add column stop_within integer not null default 30000000;
-- When a run that nobody has started is given up.
alter table runs add column start_by integer;

-- Which call handed the run out, so that whoever lost its reply finds what it was given; and the
-- node that works on it itself, with which its work ends.
alter table runs add column claim integer not null default 0;
alter table runs add column holder blob;

-- Why a run is a dead letter (core/run.h); 0 where it is none, and for those of before.
alter table history add column reason integer not null default 0;

-- Pauses end by themselves.
create index jobs_pauses on jobs (paused_until) where status = 1 and paused_until is not null;

-- Jobs whose last run failed, and how many in a row. Nothing is written here while all goes well.
create table failing (
  job_id    integer primary key,
  tenant_id integer not null,
  in_a_row  integer not null,
  since     integer not null
) strict;
create index failing_of_tenant on failing (tenant_id);

drop view live_rows;
create view live_rows as
select r.job_id, r.run_key, r.state, r.origin, r.scheduled_for, r.decided_at, r.started_at,
  null as finished_at, r.attempt, r.fence, r.revision, r.stands_for, r.epoch, r.node,
  r.worker, null as result, '' as error, r.tenant_id,
  (select j.name from jobs j where j.id = r.job_id) as job_name, r.job_type, r.max_attempts,
  r.due_at, r.lease_until, r.deadline, r.cancel_requested, 0 as reason, r.partition
from runs r;

drop view past_rows;
create view past_rows as
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node,
  h.worker, null as result, h.error, h.tenant_id,
  (select j.name from jobs j where j.id = h.job_id) as job_name, h.job_type,
  (select v.max_attempts from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision) as max_attempts,
  null as due_at, null as lease_until, null as deadline, 0 as cancel_requested, h.reason,
  h.partition
from history h;
