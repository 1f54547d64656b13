-- What holds for all jobs of a type: how many of their runs may be in somebody's hands, how quickly
-- they may start, and what a job has that does not say.
create table job_types (
  tenant_id      integer not null references tenants (id),
  name           text not null,
  max_concurrent integer not null,  -- 0: any number, as with `starts`
  starts         integer not null,
  per            integer not null,  -- so many starts in so many microseconds
  burst          integer not null,
  next_start     integer,           -- when the starts so far are paid for at this rate
  max_attempts   integer,
  timeout        integer,
  start_within   integer,
  misfire_grace  integer,
  updated_at     integer not null,
  updated_by     text not null,
  primary key (tenant_id, name)
) strict;
create index job_types_limited on job_types (tenant_id, name) where max_concurrent > 0 or starts > 0;

-- A run holds room if its tenant or its type has a limit.
drop index runs_holding_room;
create index runs_holding_room on runs (tenant_id, job_type) where holds_room = 1;
