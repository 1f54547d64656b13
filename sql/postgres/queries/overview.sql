-- How the cluster stands.

-- name: overview_nodes
select n.incarnation, n.name, coalesce(r.name, ''), n.started_at, n.lease_until
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
  count(*) filter (where r.state = :retrying), min(r.due_at) filter (where r.state = :ready)
from (select r.state, r.due_at from runs r limit $1::bigint) as r

-- name: count_jobs
-- $1 how far to count, $2 clock: paused, cancelled, completed; and the planner's estimate of all jobs that
-- are not deleted, or -1
select
  (select count(*) from (select from jobs j where j.status = :paused and j.status in (:paused, :job_cancelled, :completed)
    and coalesce(j.paused_until > coalesce($2::timestamptz, clock_timestamp()), true) limit $1::bigint) as j),
  (select count(*) from (select from jobs j where j.status = :job_cancelled and j.status in (:paused, :job_cancelled, :completed) limit $1) as j),
  (select count(*) from (select from jobs j where j.status = :completed and j.status in (:paused, :job_cancelled, :completed) limit $1) as j),
  (select count(*) from (select from jobs j where j.status <> :deleted and j.partition >= 0 limit $1) as j),
  (select c.reltuples::bigint from pg_class c where c.oid = 'jobs_name'::regclass)
