-- The owner of a partition knows its live runs and hands them out by key (docs/decisions/0014). What
-- a grant, a heartbeat or a retry changes is in no index any more, so that they write one row and
-- nothing else. A page has room for the second version of each row.
drop index runs_ready;
drop index runs_waiting;
drop index runs_leases;
drop index runs_in_flight;
drop index runs_exclusive;
alter table runs set (fillfactor = 50);

-- An exclusive run has its job's only place: from its decision on if no other run of the job was
-- live, otherwise from its grant on; a run that goes back to wait gives it up. So in the usual case
-- a grant does not change it.
alter table runs add column holds_job boolean not null default false;
-- The run counts towards its tenant's limit: it is running, and there is one.
alter table runs add column holds_room boolean not null default false;
update runs set holds_job = exclusive, holds_room = true where state = 1;
create unique index runs_holding_job on runs (partition, job_id) where holds_job;
create index runs_holding_room on runs (tenant_id) where holds_room;

-- For people who look at live runs.
create index runs_listed on runs (tenant_id, scheduled_for);

create index tenants_unusual on tenants (id) where weight <> 1 or max_in_flight <> 0;

create or replace function in_flight(tenant bigint, most bigint) returns bigint
  language sql
as $$
  select count(*) from (
    select from runs r where r.tenant_id = tenant and r.holds_room limit most) as running
$$;
