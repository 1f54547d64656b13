-- What holds for all jobs of a type: how many of their runs may be in somebody's hands, how quickly
-- they may start, and what a job has that does not say.
create table job_types (
  tenant_id      bigint not null references tenants (id),
  name           text collate "C" not null,
  max_concurrent integer not null,  -- 0: any number, as with `starts`
  starts         integer not null,
  per            bigint not null,   -- so many starts in so many microseconds
  burst          integer not null,
  next_start     timestamptz,       -- when the starts so far are paid for at this rate
  max_attempts   integer,
  timeout        bigint,
  start_within   bigint,
  misfire_grace  bigint,
  updated_at     timestamptz not null,
  updated_by     text not null,
  primary key (tenant_id, name)
);
create index job_types_limited on job_types (tenant_id, name) where max_concurrent > 0 or starts > 0;

-- A run holds room if its tenant or its type has a limit.
drop index runs_holding_room;
create index runs_holding_room on runs (tenant_id, job_type) where holds_room;

-- Like in_flight: volatile, so that it sees what was committed before the row was locked.
create function in_flight_of_type(tenant bigint, type text, most bigint) returns bigint language sql as $$
  select count(*) from (
    select from runs r where r.tenant_id = tenant and r.job_type = type and r.holds_room limit most) as running
$$;
