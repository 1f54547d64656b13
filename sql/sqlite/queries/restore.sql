-- After a restore: what was promised since the backup was made is void.

-- name: any_live_node
-- ?1 now
select name from nodes where lease_until > ?1 order by name limit 1;

-- name: raise_epochs
update partitions set epoch = epoch + 1000000, owner = null;

-- name: raise_fences
-- A billion of them is years of work.
update counters set value = value + 1000000000 where name = 'fences';

-- name: raise_serials
update counters set value = value + 1000000 where name = 'job_serials';

-- name: forget_nodes
delete from nodes;

-- name: end_leadership
-- ?1 now
update leases set term = term + 1000, lease_until = min(lease_until, ?1);

-- name: end_run_leases
-- ?1 now. Under a fence that nobody has, until the attempt is ended for want of a lease.
update runs set lease_until = min(lease_until, ?1), fence = fence + 1 where state = :running;
