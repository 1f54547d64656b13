-- Ticks become runs and skips, under the guard of their partitions' rows.
--
-- Here and in the other files of hot statements rows to change are found by `key between k and k`,
-- which can only be looked up in the index. An equality could also be hashed or merged: the planner
-- chooses that while a table looks empty, keeps the plan, and reads the table whole when it no
-- longer is.

-- name: decide
-- $1 clock, $2 node, $3 how: `advance` as usual; `settle` (the caller holds the lock and does not
-- move the cursor); `advance_again` after `advance` met an existing run; `settle_apart` for ticks
-- that lie before other fates: a skip there is a row of its own. All but `advance` look for
-- existing runs first.
-- $4 partitions, $5 epochs, $6 versions, $7 from, $8 to
-- and what becomes of the ticks: $9 jobs, $10 run keys, $11 first ticks, $12 last ticks, $13
-- counts, $14 reasons (-1: a run), $15 epochs; $16 the row's place among its job's, $17 of how
-- many, $18 the run's place among its job's runs (0: in line), $19 of how many; $20 when it is due;
-- $21 the taker that waits for the run (counted from 1; 0: nobody), $22 the takers' workers, $23 their leases,
-- $24 the queue that the taker waits at, for each row, $25 the takers' nodes, $26 the claim,
-- $27 the takers' regions.
-- Runs in line are not skipped, and while they wait (ready, due later than their tick) nothing
-- counts or replaces them; if the job has a limit they are handed out alone instead.
-- $12 to $14 and $16 to $20 are empty in the usual case: one run for each job, due and standing for
-- its own tick only; $21 and $24 are where nobody waits.
with
-- What lies a moment ahead is decided now, as of then: the caller sends `await_instant` in the same
-- transaction, so nobody sees it sooner.
clock as materialized (
  select coalesce($1::timestamptz, greatest(t.now, least(t.until, t.now + interval '50 ms'))) as now
  from (
    select clock_timestamp() as now, (select max(u) from unnest($8::timestamptz[]) as u) as until
  ) as t
),
-- Epochs below it were given out before the server was promoted (ownership.sql).
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),

-- The guard. Everybody locks partitions in the order of their ids.
asked as materialized (
  select *
  from unnest($4::integer[], $5::bigint[], $6::bigint[], $7::timestamptz[], $8::timestamptz[])
    as i (id, epoch, version, from_at, to_at)
  order by i.id
),
moved as (
  update partitions p set decided_through = i.to_at
  from asked i
  where p.id between i.id and i.id and p.epoch = i.epoch and p.jobs_version = i.version
    and p.decided_through = i.from_at
    and ($3::smallint in (:settle, :settle_apart) or (
      p.owner = $2::uuid and p.epoch >= (select base from term) and i.to_at <> i.from_at
      and i.to_at <= (select now from clock)))
  returning p.id
),
all_moved as materialized (select count(*) = cardinality($4) as yes from moved),
-- Why the others did not pass. One that seems to have passed was changed while we waited for it: the
-- caller reads what changed, and asks again.
refused as (
  select i.id, coalesce(p.decided_through, i.from_at) as decided_through,
    coalesce(p.is_version, 0) as is_version,
    case
      when p.is_epoch is distinct from i.epoch then :deposed
      when $3 not in (:settle, :settle_apart)
        and (p.owner is distinct from $2 or i.epoch < (select base from term)) then :deposed
      when p.is_version <> i.version then :outdated
      when p.decided_through = i.to_at and $3 not in (:settle, :settle_apart) then :decided
      when p.decided_through <> i.from_at then :outdated
      when i.to_at > (select now from clock) and $3 not in (:settle, :settle_apart) then :early
      else :outdated
    end as verdict
  from asked i
  left join lateral (
    select p.owner, p.epoch as is_epoch, p.jobs_version as is_version, p.decided_through
    from partitions p
    where p.id = i.id
    limit 1
  ) as p on true
  where not (select yes from all_moved) and i.id <> all (array(select id from moved))
),

-- What is asked for the partitions that passed. The guard is an init-plan: if it were joined, the
-- planner would expect one row and run the rest once for each partition.
events as (
  select e.job_id, (e.job_id & 65535)::integer as partition, e.run_key, e.first_tick,
    coalesce(e.last_tick, e.first_tick) as last_tick, coalesce(e.count, 1) as count,
    coalesce(e.reason, -1::smallint) as reason, e.epoch, coalesce(e.row_no, 1) as row_no,
    coalesce(e.row_count, 1) as row_count, coalesce(e.run_no, 1) as run_no,
    coalesce(e.run_count, 1) as run_count, e.due_at, e.taker, e.taker_queue
  from unnest($9::bigint[], $10::bigint[], $11::timestamptz[], $12::timestamptz[], $13::bigint[],
      $14::smallint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[],
      $20::timestamptz[], $21::integer[], $24::text[])
    as e (job_id, run_key, first_tick, last_tick, count, reason, epoch, row_no, row_count, run_no,
      run_count, due_at, taker, taker_queue)
  where (select yes from all_moved) or (e.job_id & 65535)::integer = any (array(select id from moved))
),

-- A fate is the reason of a skip, or null for a run. Live runs are counted no further than the limit.
-- Nothing here compares rows with each other: sorting them costs more than all these looks.
fates as materialized (
  select e.*, j.*, live.n as live_count, o.first_tick as open_first, o.reason as open_reason,
    case
      when e.reason <> -1 then e.reason
      when e.run_no = 0 then null
      when j.replaces and e.run_no < e.run_count then :overlap_replaced::smallint
      when not j.replaces and live.n + e.run_no > j.live_limit
        -- the run of this very tick is no reason to skip it: the tick would have two fates
        and (
          select count(*)
          from runs r
          where r.partition = e.partition and r.job_id = e.job_id and r.run_key = e.run_key) = 0
        then :overlap::smallint
    end as fate
  from events e
  cross join lateral (
    select j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, j.priority, j.exclusive, j.max_attempts,
      j.retry_base, j.retry_cap, j.timeout, j.start_within, j.stop_within, j.live_limit, j.replaces,
      j.effective_from
    from jobs j
    where j.id = e.job_id
    limit 1
  ) as j
  left join lateral (
    select count(*) as n
    from (
      select
      from runs r
      where e.run_no > 0 and r.partition = e.partition and r.job_id = e.job_id
        and not (r.state = :ready and r.due_at > r.scheduled_for)
      limit case when j.live_limit = 2147483647 then 0 else j.live_limit end
    ) as r
  ) as live on true
  left join lateral (
    -- one that began under an earlier schedule is closed, and not continued
    select s.first_tick, case when s.first_tick > j.effective_from then s.reason end as reason
    from skips s
    where s.partition = e.partition and s.job_id = e.job_id and s.open
    limit 1
  ) as o on true
),
-- A run has its exclusive job's place if nobody else is there. (Where live runs are not counted,
-- nobody knows.) It is handed over at once if its taker waits at its queue and in its region, it may start
-- now, and neither its tenant nor its type has a limit.
starts as (
  select f.*,
    coalesce(f.taker, 0) > 0 and f.due_at is null and (not f.exclusive or f.has_place)
      and coalesce(f.queue, f.job_type) = f.taker_queue
      and (f.run_in = :anywhere or f.partition / 256 = ($27::integer[])[f.taker])
      and f.tenant_id <> all (array(
        select t.id from tenants t
        where t.max_in_flight > 0 and (t.weight <> 1 or t.max_in_flight <> 0)))
      and (not (select exists (select from job_types t where t.max_concurrent > 0 or t.starts > 0))
        or (
          select count(*)
          from job_types t
          where t.tenant_id = f.tenant_id and t.name = f.job_type
            and (t.max_concurrent > 0 or t.starts > 0)) = 0) as handed_over
  from (
    select f.*, $3 = :advance and f.exclusive and f.due_at is null and f.live_limit < 2147483647
      and f.live_count = 0 and f.run_no = 1 as has_place
    from fates f
    where f.fate is null
  ) as f
  offset 0
),
new_runs as (
  insert into runs (partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin,
    priority, scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base,
    retry_cap, timeout, epoch, node, holds_job, state, attempt, fence, worker, started_at,
    lease_until, deadline, holder, claim, start_by)
  select f.partition, f.job_id, f.run_key, f.tenant_id, f.job_type, f.queue, f.run_in, f.revision, :by_schedule,
    f.priority, f.first_tick, coalesce(f.due_at, f.first_tick), (select now from clock), f.count,
    f.exclusive or (f.due_at is not null and f.live_limit < 2147483647), f.max_attempts,
    f.retry_base, f.retry_cap, f.timeout, f.epoch, $2, f.has_place,
    case when f.handed_over then :running else :ready end, f.handed_over::integer,
    case when f.handed_over
      then ((select base from term) + 1099511627776) | nextval('fences') else 0 end,
    case when f.handed_over then ($22::text[])[f.taker] else '' end,
    case when f.handed_over then (select now from clock) end,
    case when f.handed_over
      then (select now from clock) + ($23::bigint[])[f.taker] * interval '1 microsecond' end,
    case when f.handed_over
      then (select now from clock) + f.timeout * interval '1 microsecond' end,
    case when f.handed_over then nullif(($25::text[])[f.taker], '')::uuid end,
    case when f.handed_over then $26::bigint else 0 end,
    coalesce(f.due_at, (select now from clock)) + f.start_within * interval '1 microsecond'
  from starts f
  -- Not "on conflict": that costs each run a second look and a second entry in the log. An existing
  -- run, or one that has just been given the job's place, makes the whole statement fail, and the
  -- caller asks again.
  where ($3 = :advance or (
      select count(*)
      from runs r
      where r.partition = f.partition and r.job_id = f.job_id and r.run_key = f.run_key) = 0)
  returning tenant_id, job_id, run_key, coalesce(queue, job_type) as queue, priority, due_at, exclusive,
    state, fence, lease_until, deadline, stands_for, job_type, revision, run_in, start_by
),
-- The jobs that the rest is about; usually none.
odd as materialized (
  select f.* from fates f where f.fate is not null or f.open_first is not null or f.replaces
),

-- The live runs that a replacing job's new run ends. Locked first, so that one which is being
-- claimed at this moment is told to stop and not overlooked.
rivals as materialized (
  select r.*, (select now from clock) + f.stop_within * interval '1 microsecond' as stop_by
  from odd f
  cross join lateral (
    select r.*
    from runs r
    where r.partition = f.partition and r.job_id = f.job_id and r.run_key <> f.run_key
      and not (r.state = :ready and r.due_at > r.scheduled_for)
    for update
  ) as r
  where f.fate is null and f.replaces and f.run_no > 0
),
dropped as (
  delete from runs r
  using rivals v
  where r.partition = any (array[v.partition]) and r.job_id = any (array[v.job_id])
    and r.run_key = any (array[v.run_key])
    and v.state <> :running
),
past as (
  select v.*, :run_cancelled as end_state, null::json as end_result,
    'replaced by a newer run' as end_error, 0 as end_reason
  from rivals v
  where v.state <> :running
),
dropped_history as (
  -- include: history
),
told as (
  update runs r
  set cancel_requested = true, deadline = least(r.deadline, v.stop_by),
    lease_until = least(r.lease_until, v.stop_by)
  from rivals v
  where r.partition = any (array[v.partition]) and r.job_id = any (array[v.job_id])
    and r.run_key = any (array[v.run_key])
    and v.state = :running
),

-- Skips for one reason with no run between them are one island, and one row. The first island of a
-- job may continue its open row, of this call or of an earlier one.
marked as materialized (
  select i.*, (i.island = 1 and i.first_fate is not null) as leads,
    coalesce($3 <> :settle_apart and i.island = 1 and i.first_fate is not null and i.fate = i.open_reason,
      false) as extends
  from (
    select s.*, count(*) filter (where s.starts) over ticks as island,
      first_value(s.fate) over ticks as first_fate
    from (
      select f.job_id, f.partition, f.first_tick, f.last_tick, f.fate, f.epoch, f.row_no,
        f.row_count, f.open_first, f.open_reason,
        case when f.reason = -1 then 1 else f.count end as count,
        f.fate is distinct from lag(f.fate) over (partition by f.job_id order by f.first_tick)
          as starts
      from fates f
      where exists (select from odd x where x.fate is not null or x.open_first is not null)
    ) as s
    window ticks as (partition by s.job_id order by s.first_tick)
  ) as i
),
turned as (
  update skips s
  set last_tick = greatest(s.last_tick, g.last_tick), count = s.count + g.count, open = g.stays
  from (
    select m.partition, m.job_id, m.open_first,
      max(m.last_tick) filter (where m.extends) as last_tick,
      coalesce(sum(m.count) filter (where m.extends), 0)::bigint as count,
      bool_and(m.extends) as stays
    from marked m
    where m.open_first is not null
    group by m.partition, m.job_id, m.open_first
  ) as g
  where s.partition = any (array[g.partition]) and s.job_id = any (array[g.job_id])
    and s.first_tick = any (array[g.open_first])
  returning 1
),
new_skips as (
  insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at,
    epoch)
  select m.partition, m.job_id, min(m.first_tick), max(m.last_tick), sum(m.count)::bigint, m.fate,
    $3 <> :settle_apart and max(m.row_no) = max(m.row_count), (select now from clock), max(m.epoch)
  from marked m
  where m.fate is not null and not m.extends
    and (select count(*) from turned) >= 0  -- the open row is closed before a new one opens
  group by m.partition, m.job_id, m.island, m.fate
  on conflict (partition, job_id, first_tick) do nothing
),
changed as (
  select tenant_id, job_id as id, run_key as number, state from new_runs
  union all
  select tenant_id, job_id, run_key, :run_cancelled from rivals where state <> :running
),
announced as (
  -- include: outbox, kind = :of_runs
)
-- First what holds for all of it, then the partitions that did not pass, then the new runs: those
-- have a queue. Only those that were handed over have the rest; of the others, when they have to be
-- started is in the place of the lease.
select null::bigint, (select count(*) from odd where reason = -1 and fate is not null),
  (select now from clock), null::bigint, null::bigint, null::bigint, null::bigint, null::text,
  null::bigint, null::timestamptz, null::timestamptz, null::bigint, null::text, null::text,
  null::text, null::text
union all
select r.id, r.verdict, r.decided_through, r.is_version, null, null, null, null,
  null, null, null, null, null, null, null, null
from refused r
union all
select n.job_id, n.run_key, n.due_at, n.tenant_id, n.priority::bigint, n.exclusive::integer::bigint,
  n.run_in::bigint, n.queue,
  n.fence, coalesce(n.lease_until, n.start_by), n.deadline, n.stands_for, n.job_type, v.name, v.target,
  v.payload
from new_runs n
left join lateral (
  -- Revisions of long ago have no name.
  select v.target::text, v.payload::text,
    case when v.name <> '' then v.name else (select j.name from jobs j where j.id = n.job_id) end as name
  from job_revisions v
  where n.state = :running and v.job_id = n.job_id and v.revision = n.revision
  limit 1
) as v on true
union all
select v.job_id, v.run_key, v.due_at, v.tenant_id, 0, 0, null, '', 0, null, null, 0, null, null, null, null
from rivals v
where v.state = :running

-- name: await_instant
-- $1 when; at most as far ahead as `decide` goes. Answers how far ahead it was.
select (extract(epoch from w.span) * 1000000)::bigint,
  pg_sleep(extract(epoch from least(w.span, interval '50 ms'))::float8)
from (select $1::timestamptz - clock_timestamp() as span offset 0) as w
