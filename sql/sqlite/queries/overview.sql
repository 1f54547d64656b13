-- How the cluster stands.

-- name: overview_nodes
select n.incarnation, n.name, coalesce(r.name, ''), n.started_at, n.lease_until
from nodes n left join regions r on r.no = n.region
order by n.name, n.incarnation;

-- name: overview_partitions
select id, owner, epoch, decided_through, jobs_version from partitions order by id;

-- name: overview_leader
select holder, term, lease_until from leases where name = 'leader';

-- name: count_live
-- ?1 how far to count
select coalesce(sum(state = :ready), 0), coalesce(sum(state = :running), 0),
  coalesce(sum(state = :retrying), 0), min(iif(state = :ready, due_at, null))
from (select state, due_at from runs limit ?1);

-- name: count_jobs
select
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :paused and status in (:paused, :job_cancelled, :completed)
      and coalesce(paused_until > ?2, 1) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :job_cancelled and status in (:paused, :job_cancelled, :completed) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :completed and status in (:paused, :job_cancelled, :completed) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_partition where status <> :deleted limit ?1));
