-- Live runs: who may have them, and which there are.

-- name: grant_runs
-- $1 clock, $2 jobs, $3 keys, $4 tenants, $5 the run's place among the tenant's in this call,
-- $6 takers (counted from 1), $7 their workers, $8 their leases, $9 their nodes, $10 the claim. Callers send each run once, in the
-- order of the keys, so that all batches lock in one order. The conditions on the row are the only
-- truth: a caller may be wrong about all of it, and is then granted less.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
-- The timeline grows with each failover, so a fence does too, even where the sequence was behind.
term as materialized (
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint << 40 as base
),
-- A tenant with a limit is counted under its lock, so that two grants cannot both see room for one;
-- while another one counts, it has none.
counted as materialized (
  select t.id
  from tenants t
  where t.id = any (array(select distinct unnest($4::bigint[]))) and t.max_in_flight > 0
  order by t.id
  for no key update skip locked
),
rooms as materialized (
  select t.id,
    case when t.id = any (array(select id from counted))
      then t.max_in_flight - in_flight(t.id, t.max_in_flight) else 0 end as room
  from tenants t
  where t.id = any (array(select distinct unnest($4::bigint[]))) and t.max_in_flight > 0
),
wanted as materialized (
  select w.job_id, (w.job_id & 65535)::integer as partition, w.run_key, w.taker, m.id is not null as limited
  from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
    as w (job_id, run_key, tenant_id, rank, taker)
  left join rooms m on m.id = w.tenant_id
  where m.id is null or w.rank <= m.room
),
granted as (
  update runs r
  set state = :running, attempt = r.attempt + 1, fence = (select base from term) | nextval('fences'),
    worker = ($7::text[])[w.taker], started_at = (select now from clock),
    lease_until = (select now from clock) + ($8::bigint[])[w.taker] * interval '1 microsecond',
    deadline = (select now from clock) + r.timeout * interval '1 microsecond',
    holds_job = r.exclusive, holds_room = w.limited, holder = nullif(($9::text[])[w.taker], '')::uuid,
    claim = $10::bigint
  from wanted w
  where r.partition = any (array[w.partition]) and r.job_id = any (array[w.job_id])
    and r.run_key = any (array[w.run_key])
    and r.state + 0 <> :running and r.due_at <= (select now from clock)
    and (r.holds_job or not r.exclusive or not exists (
      select
      from runs o
      where o.partition = r.partition and o.job_id = r.job_id and o.run_key <> r.run_key
        and (o.holds_job or o.state + 0 = :running)))
  returning w.taker, r.job_id, r.run_key, r.tenant_id, r.job_type, r.fence, r.attempt,
    r.scheduled_for, r.lease_until, r.deadline, r.stands_for, r.revision, r.payload
),
changed as (
  select g.tenant_id, g.job_id as id, g.run_key as number, :running as state from granted g
),
announced as (
  -- include: outbox, kind = :of_runs
)
select g.taker - 1, g.job_id, g.run_key, g.tenant_id, v.name, g.job_type, g.fence, g.attempt,
  g.scheduled_for, g.lease_until, g.deadline, g.stands_for, v.target::text, coalesce(g.payload, v.payload)::text
from granted g
left join lateral (
  -- Revisions of long ago have no name.
  select v.target, v.payload,
    case when v.name <> '' then v.name else (select j.name from jobs j where j.id = g.job_id) end as name
  from job_revisions v
  where v.job_id = g.job_id and v.revision = g.revision
  limit 1
) as v on true

-- name: read_live
-- $1 partitions
select r.job_id, r.run_key, r.tenant_id, coalesce(r.queue, r.job_type), r.priority, r.due_at,
  r.exclusive, r.state = :running, r.fence, least(r.lease_until, r.deadline), r.claim, r.holder,
  case when r.attempt = 0 then r.start_by end
from unnest($1::integer[]) as p (id)
cross join lateral (select x.* from runs x where x.partition = p.id offset 0) as r

-- name: find_live
-- $1 jobs, $2 keys
select r.job_id, r.run_key, r.tenant_id, coalesce(r.queue, r.job_type), r.priority, r.due_at,
  r.exclusive, r.state = :running, r.fence, least(r.lease_until, r.deadline), r.claim, r.holder,
  case when r.attempt = 0 then r.start_by end
from unnest($1::bigint[], $2::bigint[]) as a (job_id, run_key)
cross join lateral (
  select x.*
  from runs x
  where x.partition = (a.job_id & 65535)::integer and x.job_id = a.job_id and x.run_key = a.run_key
  limit 1
) as r

-- name: find_waiting
-- $1 clock, $2 the partition to begin with, $3 partitions to leave out, $4 queues, $5 how many,
-- $6 only this tenant's
select r.job_id, r.run_key, r.tenant_id, coalesce(r.queue, r.job_type), r.priority, r.due_at,
  r.exclusive, false, r.fence, null::timestamptz, 0::bigint, null::uuid, null::timestamptz
from (
  select p.id
  from partitions p
  where p.id <> all ($3::integer[])
  order by p.id < $2::integer, p.id
) as p
cross join lateral (
  select x.*
  from runs x
  where x.partition = p.id and x.state + 0 <> :running
    and x.due_at <= (select coalesce($1::timestamptz, clock_timestamp()))
    and coalesce(x.queue, x.job_type) = any ($4::text[])
    and ($6::bigint is null or x.tenant_id = $6)
  offset 0
) as r
limit $5::bigint

-- name: unusual_tenants
select t.id, t.weight, t.max_in_flight from tenants t where t.weight <> 1 or t.max_in_flight <> 0
