-- How the cluster stands.

-- name: overview_nodes
select n.incarnation, n.name, coalesce(r.name, ''), n.started_at, n.lease_until, n.clock_offset
from nodes n left join regions r on r.no = n.region
order by n.name, n.incarnation;

-- name: overview_partitions
select id, owner, epoch, decided_through, jobs_version from partitions order by id;

-- name: overview_leader
select holder, term, lease_until from leases where name = 'leader';

-- name: count_live
-- ?1 how far to count
select coalesce(sum(state = :ready), 0), coalesce(sum(state = :running), 0),
  coalesce(sum(state = :retrying), 0),
  min(iif(state = :ready and queue is not 'CHECKIN *', due_at, null))
from (select state, due_at, queue from runs limit ?1);

-- name: queue_loads
-- ?1 now, ?2 how far to look. What waits for a run of its own job does not wait for a worker.
-- By the region whose workers may have it; null: any region's. It is named if there is another one, too.
-- A run that its calendar delays does not stand in line: its tick was not missed.
-- Those that run are listed once: to look for each waiting run is to read all runs of its job again.
with
looked_at as materialized (
  select coalesce(queue, job_type) as queue, tenant_id, job_id, state, origin, exclusive, scheduled_for,
    decided_at, due_at, started_at, iif(run_in = :at_home, partition / 256, null) as region
  from runs
  limit ?2
)
select queue, tenant_id, region,
  (select g.name from regions g where g.no = region and (select count(*) from regions) > 1),
  sum(waits), min(iif(waits, due_at, null)),
  sum(state = :running), min(iif(state = :running, started_at, null)),
  sum(in_line), max(iif(in_line, due_at, null))
from (
  select *,
    state <> :running and due_at <= ?1
      and not (exclusive and job_id in (select h.job_id from looked_at h where h.state = :running)) as waits,
    state = :ready and origin = :by_schedule and due_at > ?1 and due_at > scheduled_for
      and decided_at > scheduled_for + 1000000 as in_line
  from looked_at
)
group by queue, tenant_id, region
order by queue, tenant_id, region;

-- name: count_jobs
-- ?1 how far to count, ?2 now, ?3 how far to count failing ones, each of which is looked up. How many there are in all
-- is kept by tenant and partition.
select
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :paused and status in (:paused, :job_cancelled, :completed)
      and coalesce(paused_until > ?2, 1) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :job_cancelled and status in (:paused, :job_cancelled, :completed) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :completed and status in (:paused, :job_cancelled, :completed) limit ?1)),
  (select coalesce(sum(jobs), 0) from tenant_jobs),
  (select count(*) from (
    select 1 from failing f cross join jobs j on j.id = f.job_id where j.status <> :deleted limit ?3));

-- name: count_live_of
-- ?1 how far to count, ?2 tenant
select coalesce(sum(state = :ready), 0), coalesce(sum(state = :running), 0),
  coalesce(sum(state = :retrying), 0),
  min(iif(state = :ready and queue is not 'CHECKIN *', due_at, null))
from (select state, due_at, queue from runs where tenant_id = ?2 limit ?1);

-- name: count_jobs_of
-- ?1 how far to count, ?2 now, ?3 how far to count failing ones, ?4 tenant: as count_jobs
select
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :paused and status in (:paused, :job_cancelled, :completed) and tenant_id = ?4
      and coalesce(paused_until > ?2, 1) limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :job_cancelled and status in (:paused, :job_cancelled, :completed) and tenant_id = ?4 limit ?1)),
  (select count(*) from (select 1 from jobs indexed by jobs_unusual
    where status = :completed and status in (:paused, :job_cancelled, :completed) and tenant_id = ?4 limit ?1)),
  (select coalesce(sum(jobs), 0) from tenant_jobs where tenant_id = ?4),
  (select count(*) from (select 1 from failing f cross join jobs j on j.id = f.job_id
    where f.tenant_id = ?4 and j.status <> :deleted limit ?3));
