-- After a restore: what was promised since the backup was made is void.

-- name: any_live_node
-- $1 clock
select n.name from nodes n
where n.lease_until > coalesce($1::timestamptz, clock_timestamp())
order by n.name
limit 1

-- name: raise_epochs
update partitions set epoch = epoch + 1000000, owner = null

-- name: raise_fences
-- A billion of them is years of work. Above their lower 40 bits fences carry the server's timeline, or the next one
-- (grant.sql, decide.sql), as epochs do; that of the server that was backed up may have been higher than this one's.
with
eras as materialized (
  select max(p.epoch) >> 40 as kept,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1 as here
  from partitions p
)
select setval('fences', greatest(nextval('fences'), case when kept > here then (kept + 2) << 40 else 0 end) + 1000000000)
from eras

-- name: raise_serials
select setval('job_serials', nextval('job_serials') + 1000000)

-- name: forget_nodes
delete from nodes

-- name: end_leadership
-- $1 clock
update leases
set term = term + 1000, lease_until = least(lease_until, coalesce($1::timestamptz, clock_timestamp()))

-- name: end_run_leases
-- $1 clock. Under a fence that nobody has, until the attempt is ended for want of a lease.
update runs
set lease_until = least(lease_until, coalesce($1::timestamptz, clock_timestamp())), fence = fence + 1
where state = :running
