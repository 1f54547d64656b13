-- Handing out due runs.

-- name: claim
-- $1 clock, $2 queues, $3 how many, $4 workers, $5 their leases, $6 the tenant after which the
-- round begins, $7 the only tenant, $8 which grant is each worker's first,
-- $9 usually null; otherwise no run has waited since before that time (docs/decisions/0008)
with recursive
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),

-- With $9: runs that wait since then, found without wading through those that are gone. Only by
-- runs_waiting: no other index fits these conditions, and a range with two ends looks small to the
-- planner, whatever it believes about the table.
recent as materialized (
  select r.partition, r.job_id, r.run_key, r.tenant_id, r.priority, r.due_at
  from runs r
  where $9::timestamptz is not null and r.state <> :running
    and greatest(r.due_at, r.decided_at) between $9 and $9 + interval '1000 years'
    and r.due_at + interval '0' <= (select now from clock)
    and ($7::bigint is null or r.tenant_id = $7)
    and array_position($2::text[], coalesce(r.queue, r.job_type)) is not null
    and (not r.exclusive or not exists (
      select
      from runs o
      where o.partition = r.partition and o.job_id = r.job_id and o.run_key <> r.run_key
        and (o.state = :running
          or (o.due_at <= (select now from clock)
            and (o.due_at, o.run_key) < (r.due_at, r.run_key)))))
  order by greatest(r.due_at, r.decided_at)
  limit 3 * $3::bigint + 100  -- some more than wanted, for a fair choice
),

-- Without $9: each (queue, tenant, priority) that has waiting runs, with its earliest: one index
-- probe a step, however many runs wait there. The walk is bounded and begins where the last round
-- ended, so that many tenants cost no more and none is left out.
walk (queue, tenant_id, priority, due_at, wrapped, step) as (
  select t.queue, s.tenant_id, s.priority, s.due_at, s.wrapped, 1
  from unnest($2::text[]) as t (queue)
  cross join lateral (
    (select r.tenant_id, r.priority, r.due_at, false as wrapped
     from runs r
     where coalesce(r.queue, r.job_type) = t.queue and r.state <> :running and r.tenant_id > $6::bigint
     order by r.tenant_id, r.priority desc, r.due_at
     limit 1)
    union all
    (select r.tenant_id, r.priority, r.due_at, true
     from runs r
     where coalesce(r.queue, r.job_type) = t.queue and r.state <> :running and r.tenant_id <= $6
     order by r.tenant_id, r.priority desc, r.due_at
     limit 1)
    limit 1
  ) as s
  where $9 is null
  union all
  select w.queue, s.tenant_id, s.priority, s.due_at, s.wrapped, w.step + 1
  from walk w
  cross join lateral (
    (select r.tenant_id, r.priority, r.due_at, w.wrapped as wrapped
     from runs r
     where coalesce(r.queue, r.job_type) = w.queue and r.state <> :running and r.tenant_id = w.tenant_id
       and r.priority < w.priority
     order by r.priority desc, r.due_at
     limit 1)
    union all
    (select r.tenant_id, r.priority, r.due_at, w.wrapped
     from runs r
     where coalesce(r.queue, r.job_type) = w.queue and r.state <> :running and r.tenant_id > w.tenant_id
       and r.tenant_id <= case when w.wrapped then $6 else 9223372036854775807 end
     order by r.tenant_id, r.priority desc, r.due_at
     limit 1)
    union all
    (select r.tenant_id, r.priority, r.due_at, true
     from runs r
     where coalesce(r.queue, r.job_type) = w.queue and r.state <> :running
       and r.tenant_id <= case when w.wrapped then -1 else $6 end
     order by r.tenant_id, r.priority desc, r.due_at
     limit 1)
    limit 1
  ) as s
  where w.step < 1000 and ($7::bigint is null or w.tenant_id = $7)
),
due as materialized (
  select w.queue, w.tenant_id, w.priority
  from walk w
  where w.due_at <= (select now from clock) and ($7 is null or w.tenant_id = $7)
),
busy as materialized (
  select tenant_id from due union select tenant_id from recent
),

-- A tenant with a limit is counted under its lock, so that two claims cannot both see room for one.
limited as materialized (
  select t.id
  from tenants t
  where t.id = any (array(select tenant_id from busy)) and t.max_in_flight > 0
  order by t.id
  for no key update skip locked
),
shares as materialized (
  select s.id, s.weight, s.room,
    greatest(1, $3::bigint * s.weight / sum(s.weight) over ())::bigint as share,
    count(*) over () as tenants
  from (
    select t.id, t.weight::bigint as weight,
      case when t.max_in_flight = 0 then $3
        else t.max_in_flight - in_flight(t.id, t.max_in_flight) end as room
    from tenants t
    where t.id = any (array(select tenant_id from busy))
      and (t.max_in_flight = 0 or t.id = any (array(select id from limited)))
  ) as s
  where s.room > 0
),

-- For each tenant its share, something to fill up with what others leave, and some more, because
-- other claims may hold locks on the first ones just now.
waiting as (
  select c.partition, c.job_id, c.run_key, d.priority, c.due_at, s.*
  from due d
  join shares s on s.id = d.tenant_id
  cross join lateral (
    select r.partition, r.job_id, r.run_key, r.due_at
    from runs r
    where coalesce(r.queue, r.job_type) = d.queue and r.tenant_id = d.tenant_id and r.priority = d.priority
      and r.state <> :running and r.due_at <= (select now from clock)
      and (not r.exclusive or not exists (
        select
        from runs o
        where o.partition = r.partition and o.job_id = r.job_id and o.run_key <> r.run_key
          and (o.state = :running
            or (o.due_at <= (select now from clock)
              and (o.due_at, o.run_key) < (r.due_at, r.run_key)))))
    order by r.due_at
    limit s.share + least($3 - s.share, 400 / s.tenants) + greatest(50 / s.tenants, 2)
  ) as c
  union all
  select r.partition, r.job_id, r.run_key, r.priority, r.due_at, s.*
  from recent r
  join shares s on s.id = r.tenant_id
),
candidates as materialized (
  select w.partition, w.job_id, w.run_key, w.id as tenant_id, w.weight, w.share, w.room,
    row_number() over (partition by w.id order by w.priority desc, w.due_at, w.run_key) as rank
  from waiting w
),
-- First everyone's share, in turn; then the rest. A tenant's turns come as often as its
-- weight says.
queue as materialized (
  select c.partition, c.job_id, c.run_key,
    row_number() over (
      order by c.rank > c.share, (c.rank - 1)::double precision / c.weight, c.tenant_id <= $6,
        c.tenant_id) as place
  from candidates c
  where c.rank <= c.room
  order by place
),
locked as materialized (
  select q.place, r.partition, r.job_id, r.run_key
  from (select * from queue order by place) as q
  cross join lateral (
    select r.partition, r.job_id, r.run_key
    from runs r
    where r.partition = q.partition and r.job_id = q.job_id and r.run_key = q.run_key
      and r.state + 0 <> :running and r.due_at <= (select now from clock)
    for update skip locked
  ) as r
  limit $3
),
-- The first worker gets as much as it may have, then the second, ...
taken as materialized (
  select l.*, width_bucket(row_number() over (order by l.place), $8::bigint[]) as taker
  from locked l
),
-- The timeline grows with each failover, so a fence does too, even where the sequence was behind.
term as materialized (
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint << 40 as base
),
granted as (
  update runs r
  set state = :running, attempt = r.attempt + 1, fence = (select base from term) | nextval('fences'),
    worker = ($4::text[])[l.taker], started_at = (select now from clock),
    lease_until = (select now from clock) + ($5::bigint[])[l.taker] * interval '1 microsecond',
    deadline = (select now from clock) + r.timeout * interval '1 microsecond'
  from taken l
  where r.partition = any (array[l.partition]) and r.job_id = any (array[l.job_id])
    and r.run_key = any (array[l.run_key])
  returning l.place, l.taker, r.job_id, r.run_key, r.tenant_id, r.job_type, r.fence, r.attempt,
    r.scheduled_for, r.lease_until, r.deadline, r.stands_for, r.revision, r.payload
),
changed as (
  select g.tenant_id, g.job_id as id, g.run_key as number, :running as state from granted g
),
announced as (
  -- include: outbox, kind = :of_runs
)
select g.taker - 1, g.job_id, g.run_key, g.tenant_id, j.name, g.job_type, g.fence, g.attempt,
  g.scheduled_for, g.lease_until, g.deadline, g.stands_for, v.target::text, coalesce(g.payload, v.payload)::text
from granted g
left join lateral (select j.name from jobs j where j.id = g.job_id limit 1) as j on true
left join lateral (
  select v.target, v.payload
  from job_revisions v
  where v.job_id = g.job_id and v.revision = g.revision
  limit 1
) as v on true
order by g.place

-- name: next_due
select r.due_at
from runs r
where r.state <> :running
  and greatest(r.due_at, r.decided_at)
    between (select coalesce($1::timestamptz, clock_timestamp())) and 'infinity'
  and r.due_at + interval '0' > (select coalesce($1, clock_timestamp()))
order by greatest(r.due_at, r.decided_at)
limit 1

-- name: oldest_waiting
-- $2 since when, or null. Takes long when there are many dead rows that cannot be cleaned up yet.
-- The caller wants to know how long as much as it wants the answer.
select coalesce($1::timestamptz, clock_timestamp()), (
  select greatest(r.due_at, r.decided_at)
  from runs r
  where r.state <> :running
    and greatest(r.due_at, r.decided_at) between coalesce($2::timestamptz, '-infinity') and 'infinity'
  order by greatest(r.due_at, r.decided_at)
  limit 1)
