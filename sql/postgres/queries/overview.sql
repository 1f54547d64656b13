-- How the cluster stands.

-- name: overview_nodes
select n.incarnation, n.name, coalesce(r.name, ''), n.started_at, n.lease_until, n.clock_offset
from nodes n left join regions r on r.no = n.region
order by n.name, n.incarnation

-- name: overview_partitions
select p.id, p.owner, p.epoch, p.decided_through, p.jobs_version
from partitions p
order by p.id

-- name: overview_leader
select l.holder, l.term, l.lease_until from leases l where l.name = 'leader'

-- name: count_live
-- $1 how far to count: ready, running, retrying, and the run that has waited longest for its
-- first attempt, among these
select count(*) filter (where r.state = :ready), count(*) filter (where r.state = :running),
  count(*) filter (where r.state = :retrying),
  min(r.due_at) filter (where r.state = :ready and r.queue is distinct from 'CHECKIN *')
from (select r.state, r.due_at, r.queue from runs r limit $1::bigint) as r

-- name: queue_loads
-- $1 the clock's override, $2 how far to look. What waits for a run of its own job does not wait
-- for a worker. By the region whose workers may have it; null: any region's. It is named if there is
-- another one, too. A run that its calendar delays does not stand in line: its tick was not missed.
-- Those that run are listed once: to look for each waiting run is to read all runs of its job again.
with
looked_at as materialized (
  select coalesce(r.queue, r.job_type) as queue, r.tenant_id, r.job_id, r.state, r.origin, r.exclusive,
    r.scheduled_for, r.decided_at, r.due_at, r.started_at,
    case when r.run_in = :at_home then r.partition / 256 end as region
  from runs r
  limit $2::bigint
),
held as materialized (
  select l.job_id from looked_at l where l.state = :running
)
select r.queue, r.tenant_id, r.region,
  coalesce((select g.name from regions g where g.no = r.region and (select count(*) from regions) > 1), ''),
  count(*) filter (where r.waits), min(r.due_at) filter (where r.waits),
  count(*) filter (where r.state = :running), min(r.started_at) filter (where r.state = :running),
  count(*) filter (where r.in_line), max(r.due_at) filter (where r.in_line)
from (
  select l.*,
    l.state <> :running and l.due_at <= clock.now
      and not (l.exclusive and l.job_id in (select h.job_id from held h)) as waits,
    l.state = :ready and l.origin = :by_schedule and l.due_at > clock.now
      and l.due_at > l.scheduled_for and l.decided_at > l.scheduled_for + interval '1 second' as in_line
  from looked_at l,
    (select coalesce($1::timestamptz, clock_timestamp()) as now) as clock
) as r
group by r.queue, r.tenant_id, r.region
order by r.queue, r.tenant_id, r.region

-- name: count_jobs
-- $1 how far to count, $2 clock, $3 how far to count failing ones, each of which is looked up, $4 how many rows to sum:
-- paused, cancelled, completed; all that are not deleted, which is kept by tenant and partition; where there are more
-- such rows, the planner's estimate instead, else -1; failing
select
  (select count(*) from (select from jobs j where j.status = :paused and j.status in (:paused, :job_cancelled, :completed)
    and coalesce(j.paused_until > coalesce($2::timestamptz, clock_timestamp()), true) limit $1::bigint) as j),
  (select count(*) from (select from jobs j where j.status = :job_cancelled and j.status in (:paused, :job_cancelled, :completed) limit $1) as j),
  (select count(*) from (select from jobs j where j.status = :completed and j.status in (:paused, :job_cancelled, :completed) limit $1) as j),
  n.jobs,
  case when n.rows < $4 then -1::bigint else greatest(n.jobs, (
    select c.reltuples::bigint from pg_class c where c.oid = 'jobs_name'::regclass)) end,
  (select count(*) from (
    select from failing f
    cross join lateral (select j.status from jobs j where j.id = f.job_id limit 1) as j
    where j.status <> :deleted limit $3::bigint) as f)
from (
  select coalesce(sum(c.jobs), 0)::bigint as jobs, count(*) as rows
  from (select c.jobs from tenant_jobs c limit $4::bigint) as c
) as n

-- name: count_live_of
-- $1 how far to count, $2 tenant: as count_live
select count(*) filter (where r.state = :ready), count(*) filter (where r.state = :running),
  count(*) filter (where r.state = :retrying),
  min(r.due_at) filter (where r.state = :ready and r.queue is distinct from 'CHECKIN *')
from (select r.state, r.due_at, r.queue from runs r where r.tenant_id = $2::bigint limit $1::bigint) as r

-- name: count_jobs_of
-- $1 how far to count, $2 clock, $3 how far to count failing ones, $4 tenant: as count_jobs
select
  (select count(*) from (select from jobs j where j.status = :paused and j.status in (:paused, :job_cancelled, :completed)
    and j.tenant_id = $4::bigint and coalesce(j.paused_until > coalesce($2::timestamptz, clock_timestamp()), true) limit $1::bigint) as j),
  (select count(*) from (select from jobs j where j.status = :job_cancelled and j.status in (:paused, :job_cancelled, :completed)
    and j.tenant_id = $4 limit $1) as j),
  (select count(*) from (select from jobs j where j.status = :completed and j.status in (:paused, :job_cancelled, :completed)
    and j.tenant_id = $4 limit $1) as j),
  (select coalesce(sum(c.jobs), 0)::bigint from tenant_jobs c where c.tenant_id = $4),
  -1::bigint,
  (select count(*) from (
    select from failing f
    cross join lateral (select j.status from jobs j where j.id = f.job_id limit 1) as j
    where f.tenant_id = $4 and j.status <> :deleted limit $3::bigint) as f)
