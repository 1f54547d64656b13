-- Indexes of live runs that a plan cannot take for one another, however small they look.

-- Waiting runs by the time from which they can be claimed; not in the past when a new one begins to
-- wait (docs/decisions/0008). It also answers what the index by due time did.
drop index runs_due;
create index runs_waiting on runs (greatest(due_at, decided_at)) where state <> 1;

-- Only a running row has a lease.
drop index runs_leases;
create index runs_leases on runs (least(lease_until, deadline)) where lease_until is not null;
