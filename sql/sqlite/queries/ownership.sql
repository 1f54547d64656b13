-- Nodes, the partitions they own, and the leader. ?1 and ?2 of a region: its first and last partition.

-- name: renew_node
insert into nodes (incarnation, name, region, started_at, lease_until) values (?1, ?2, ?3, ?4, ?5)
on conflict (incarnation) do update
set name = excluded.name, region = excluded.region, lease_until = excluded.lease_until;

-- name: lease_of
select lease_until from nodes where incarnation = ?1;

-- name: newest_epoch
select max(epoch) from partitions;

-- name: end_leases
-- ?1 now. Their rows stay: whatever they worked on is then known to be theirs.
update nodes set lease_until = min(lease_until, ?1);

-- name: live_nodes
select incarnation, name, lease_until
from nodes
where region = ?1 and lease_until > ?2
order by name, incarnation;

-- name: all_nodes
select incarnation, name, lease_until from nodes where region = ?1 order by incarnation;

-- name: holders
select id, epoch, owner from partitions where id between ?1 and ?2 order by id;

-- name: count_partitions
-- A node owns partitions of its own region only.
select count(*) from partitions indexed by partitions_owner where owner = ?1;

-- name: partitions_of
select id, epoch, decided_through, jobs_version
from partitions indexed by partitions_owner
where owner = ?1
order by id;

-- name: abandoned_partitions
-- A node that retired has no row.
select p.id
from partitions p
where p.id between ?1 and ?2
  and exists (select 1 from nodes n where n.incarnation = p.owner and n.lease_until <= ?3)
order by p.id;

-- name: acquire_partitions
update partitions
set owner = ?3, epoch = epoch + 1
where exists (select 1 from nodes where incarnation = ?3 and lease_until > ?4)
  and id in (
    select p.id
    from partitions p
    where p.id between ?1 and ?2
      and not exists (select 1 from nodes n where n.incarnation = p.owner and n.lease_until > ?4)
    order by p.id
    limit ?5)
returning id, epoch, decided_through, jobs_version;

-- name: take_partition
update partitions
set owner = ?3, epoch = epoch + 1
where id = ?1 and epoch = ?2
  and exists (select 1 from nodes where incarnation = ?3 and lease_until > ?4)
returning id, epoch, decided_through, jobs_version;

-- name: release_partition
update partitions set owner = null where id = ?1 and owner = ?2 and epoch = ?3;

-- name: release_all
update partitions set owner = null where owner = ?1;

-- name: stop_leading
update leases set lease_until = min(lease_until, ?2) where holder = ?1;

-- name: retire
delete from nodes where incarnation = ?1;

-- name: lead
insert into leases (name, holder, term, lease_until) values ('leader', ?1, 1, ?3)
on conflict (name) do update
set term = term + (holder <> excluded.holder or lease_until <= ?2),
  holder = excluded.holder,
  lease_until = excluded.lease_until
where holder = excluded.holder or lease_until <= ?2
returning term;
