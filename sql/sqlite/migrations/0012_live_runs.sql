-- The owner of a partition knows its live runs and hands them out by key (docs/decisions/0014). What
-- a grant, a heartbeat or a retry changes is in no index any more.
drop index runs_ready;
drop index runs_due;
drop index runs_leases;
drop index runs_in_flight;
drop index runs_blocked;
alter table runs drop column blocked;

-- Running, for a tenant with a limit. Only few runs ever set it.
alter table runs add column holds_room integer not null default 0;
update runs set holds_room = 1 where state = 1;
create index runs_holding_room on runs (tenant_id) where holds_room = 1;

-- For people who look at live runs.
create index runs_listed on runs (tenant_id, scheduled_for);

create index tenants_unusual on tenants (id) where weight <> 1 or max_in_flight <> 0;
