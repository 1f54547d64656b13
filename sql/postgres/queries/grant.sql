-- Live runs: who may have them, and which there are.

-- name: grant_runs
-- $1 clock, $2 jobs, $3 keys, $4 tenants, $5 the run's place among the tenant's in this call,
-- $6 takers (counted from 1), $7 their workers, $8 their leases, $9 their nodes, $10 the claim,
-- $11 the takers' regions. Callers send each run once, in the order of the keys, so that all batches
-- lock in one order. The conditions on the row are the only truth: a caller may be wrong about all of
-- it, and is then granted less.
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
-- Wanted runs whose types have limits, each with its place among them; where no type has one, nothing
-- is looked up.
typed as materialized (
  select w.job_id, w.run_key, r.tenant_id, r.job_type,
    row_number() over (partition by r.tenant_id, r.job_type order by w.rank) as rank
  from unnest($2::bigint[], $3::bigint[], $5::bigint[]) as w (job_id, run_key, rank)
  cross join lateral (
    select r.tenant_id, r.job_type
    from runs r
    where r.partition = (w.job_id & 65535)::integer and r.job_id = w.job_id and r.run_key = w.run_key
    limit 1
  ) as r
  cross join lateral (
    select
    from job_types t
    where t.tenant_id = r.tenant_id and t.name = r.job_type and (t.max_concurrent > 0 or t.starts > 0)
    limit 1
  ) as t
  where (select exists (select from job_types t where t.max_concurrent > 0 or t.starts > 0))
),
-- Types are counted as tenants are. What has started is paid for by `next_start`, which is ahead of the
-- clock by at most what a burst costs, each start rounded up: if it is more, the clock has been set back.
counted_types as materialized (
  select t.*
  from (select distinct y.tenant_id, y.job_type from typed y order by 1, 2) as y
  cross join lateral (
    select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.next_start
    from job_types t
    where t.tenant_id = y.tenant_id and t.name = y.job_type
    for no key update skip locked
  ) as t
),
type_rooms as materialized (
  select t.tenant_id, t.name,
    least(
      case when t.max_concurrent > 0
        then t.max_concurrent - in_flight_of_type(t.tenant_id, t.name, t.max_concurrent) end,
      case when t.starts > 0
        then (t.burst * t.per - greatest(0, t.debt - t.burst) * t.starts) / t.per end) as room
  from (
    select t.*, case when d.debt > t.burst * t.per / greatest(t.starts, 1) + t.burst then 0 else d.debt end as debt
    from counted_types t
    cross join lateral (
      select greatest(0, extract(epoch from t.next_start - (select now from clock)) * 1000000)::bigint as debt) as d
  ) as t
),
barred as materialized (
  select y.job_id, y.run_key
  from typed y
  left join type_rooms t on t.tenant_id = y.tenant_id and t.name = y.job_type
  where y.rank > coalesce(t.room, 0)
),
wanted as materialized (
  select w.job_id, (w.job_id & 65535)::integer as partition, w.run_key, w.taker,
    m.id is not null or (w.job_id, w.run_key) in (select y.job_id, y.run_key from typed y) as limited
  from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[])
    as w (job_id, run_key, tenant_id, rank, taker)
  left join rooms m on m.id = w.tenant_id
  where (m.id is null or w.rank <= m.room)
    and (w.job_id, w.run_key) not in (select b.job_id, b.run_key from barred b)
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
    and (r.run_in = :anywhere or r.partition / 256 = ($11::integer[])[w.taker])
    and (r.holds_job or not r.exclusive or not exists (
      select
      from runs o
      where o.partition = r.partition and o.job_id = r.job_id and o.run_key <> r.run_key
        and (o.holds_job or o.state + 0 = :running)))
  returning w.taker, r.job_id, r.run_key, r.tenant_id, r.job_type, r.fence, r.attempt,
    r.scheduled_for, r.lease_until, r.deadline, r.stands_for, r.revision, r.payload,
    case when r.decided_at > r.scheduled_for + interval '1 second' then r.scheduled_for else r.due_at end as due
),
paid as (
  update job_types t
  set next_start = greatest((select now from clock),
      case when t.next_start <= (select now from clock) + (t.burst * t.per / t.starts + t.burst) * interval '1 microsecond'
        then t.next_start end)
    + ((g.n * t.per + t.starts - 1) / t.starts) * interval '1 microsecond'
  from (
    select g.tenant_id, g.job_type, count(*) as n
    from granted g
    where (select exists (select from typed))
    group by g.tenant_id, g.job_type
  ) as g
  where t.tenant_id = any (array[g.tenant_id]) and t.name = any (array[g.job_type]) and t.starts > 0
),
changed as (
  select g.tenant_id, g.job_id as id, g.run_key as number, :running as state from granted g
),
announced as (
  -- include: outbox, kind = :of_runs
)
select g.taker - 1, g.job_id, g.run_key, g.tenant_id, v.name, g.job_type, g.fence, g.attempt,
  g.scheduled_for, g.due, g.lease_until, g.deadline, g.stands_for, v.target::text, coalesce(g.payload, v.payload)::text
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
  case when r.attempt = 0 then r.start_by end, r.job_type, r.run_in
from unnest($1::integer[]) as p (id)
cross join lateral (select x.* from runs x where x.partition = p.id offset 0) as r

-- name: find_live
-- $1 jobs, $2 keys
select r.job_id, r.run_key, r.tenant_id, coalesce(r.queue, r.job_type), r.priority, r.due_at,
  r.exclusive, r.state = :running, r.fence, least(r.lease_until, r.deadline), r.claim, r.holder,
  case when r.attempt = 0 then r.start_by end, r.job_type, r.run_in
from unnest($1::bigint[], $2::bigint[]) as a (job_id, run_key)
cross join lateral (
  select x.*
  from runs x
  where x.partition = (a.job_id & 65535)::integer and x.job_id = a.job_id and x.run_key = a.run_key
  limit 1
) as r

-- name: find_waiting
-- $1 clock, $2 the partition to begin with, $3 partitions to leave out, $4 queues, $5 how many,
-- $6 only this tenant's, $7 for workers of this region
select r.job_id, r.run_key, r.tenant_id, coalesce(r.queue, r.job_type), r.priority, r.due_at,
  r.exclusive, false, r.fence, null::timestamptz, 0::bigint, null::uuid, null::timestamptz, r.job_type, r.run_in
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
    and (x.run_in = :anywhere or x.partition / 256 = $7::integer)
  offset 0
) as r
limit $5::bigint

-- name: unusual_tenants
select t.id, t.weight, t.max_in_flight from tenants t where t.weight <> 1 or t.max_in_flight <> 0

-- name: limited_types
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst
from job_types t
where t.max_concurrent > 0 or t.starts > 0
