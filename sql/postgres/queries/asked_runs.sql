-- What people ask of runs.

-- name: trigger
-- $1 clock, $2 job, $3 key, $4 origin, $5 tick, $6 payload, $7 who asks, $8 by which request. No
-- row: no such job. A row of nulls: somebody else made the same run at this moment, and asking
-- again finds it.
-- The key of a run without a tick is any number: one that names no instant is cut off, and
-- matches nothing.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
job as materialized (
  select j.*, p.epoch, coalesce(p.owner, '00000000-0000-0000-0000-000000000000') as node
  from jobs j
  join partitions p on p.id = j.partition
  where j.id = $2::bigint and j.status + 0 <> :deleted  -- found by its id, not by an index of deleted jobs
),
old as materialized (
  select *
  from (
    select x.*
    from run_rows x
    where x.partition = ($2 & 65535)::integer and x.job_id = $2 and x.run_key = $3::bigint
      and x.origin <> :by_schedule
    union all
    select x.*
    from run_rows x
    where x.partition = ($2 & 65535)::integer and x.job_id = $2 and x.run_key = $3
      and x.scheduled_for = timestamptz 'epoch'
      + least(greatest($3, 0), 9000000000000000) * interval '1 microsecond'
      and x.origin = :by_schedule
  ) as x
  limit 1
),
made as (
  insert into runs (partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state,
    priority, scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base,
    retry_cap, timeout, epoch, node, payload, start_by)
  select j.partition, j.id, $3, j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, $4::smallint, :ready, j.priority,
    coalesce($5::timestamptz, c.now), c.now, c.now, 1,
    -- where the job has no room, it waits until nothing of it is running
    j.exclusive or (j.live_limit < 2147483647 and (
      select count(*)
      from runs r
      where r.partition = j.partition and r.job_id = j.id
        and not (r.state = :ready and r.due_at > r.scheduled_for)) >= j.live_limit),
    j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.epoch, j.node, $6::text::json,
    c.now + j.start_within * interval '1 microsecond'
  from job j cross join clock c
  where not exists (select from old)
  on conflict do nothing
  returning *
),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select m.decided_at, m.tenant_id, $7::text, 'run.trigger',
    'run:' || m.job_id || ':' || m.run_key,
    $8::text::jsonb
  from made m
  where $7 <> ''
),
changed as (
  select m.tenant_id, m.job_id as id, m.run_key as number, m.state from made m
),
noted as (
  -- include: outbox, kind = :of_runs
),
run as (
  select * from old
  union all
  select m.job_id, m.run_key, m.state, m.origin, m.scheduled_for, m.decided_at, m.started_at, null,
    m.attempt, m.fence, m.revision, m.stands_for, m.epoch, m.node, m.worker, null, '', m.partition
  from made m
)
select r.* from job left join run r on true

-- name: backfill
-- $1 clock, $2 job, $3 keys, $4 ticks, $5 waits, $6 dry run. No row: no such job.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
job as materialized (
  select j.*, p.epoch, coalesce(p.owner, '00000000-0000-0000-0000-000000000000') as node,
    case when j.status in (:active, :paused) then greatest(p.decided_through, j.effective_from)
      else (select now from clock) end as through
  from jobs j
  join partitions p on p.id = j.partition
  where j.id = $2::bigint and j.status <> :deleted
),
asked as materialized (
  select a.*
  from unnest($3::bigint[], $4::timestamptz[], $5::bigint[]) with ordinality
    as a (run_key, tick, wait, place)
),
existing as materialized (
  select distinct x.run_key
  from run_rows x
  where x.partition = ($2 & 65535)::integer and x.job_id = $2
    and x.scheduled_for >= (select min(tick) from asked)
    and x.scheduled_for <= (select max(tick) from asked)
),
judged as materialized (
  select a.*, case when a.tick > j.through then :left_to_schedule when e.run_key is not null then :exists_already else :made end as fate
  from job j
  cross join asked a
  left join existing e on e.run_key = a.run_key
),
made as (
  insert into runs (partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state,
    priority, scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base,
    retry_cap, timeout, epoch, node, start_by)
  select j.partition, j.id, t.run_key, j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, :by_backfill, :ready, j.priority, t.tick,
    greatest(t.tick, c.now + t.wait * interval '1 microsecond'), c.now, 1,
    j.exclusive or j.live_limit < 2147483647, j.max_attempts, j.retry_base, j.retry_cap, j.timeout,
    j.epoch, j.node, greatest(t.tick, c.now + t.wait * interval '1 microsecond')
      + j.start_within * interval '1 microsecond'
  from judged t cross join job j cross join clock c
  where t.fate = :made and not $6::boolean
  on conflict do nothing
  returning run_key
)
-- A run that somebody else made at this moment counts as existing.
select case when t.fate = :made and not $6 and m.run_key is null then :exists_already else t.fate end
from judged t
left join made m on m.run_key = t.run_key
order by t.place

-- name: record_asked_runs
-- $1 clock, $2 job, $3 keys of runs that wait now, $4 who asked, $5 the action, $6 by which request
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
job as materialized (select j.id, j.tenant_id from jobs j where j.id = $2::bigint),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select c.now, j.tenant_id, $4::text, $5::text, 'run:' || j.id || ':' || k.run_key,
    $6::text::jsonb
  from clock c cross join job j cross join unnest($3::bigint[]) as k (run_key)
  where $4 <> ''
),
changed as (
  select j.tenant_id, j.id, k.run_key as number, :ready as state
  from job j cross join unnest($3) as k (run_key)
)
-- include: outbox, kind = :of_runs

-- name: job_status
select status from jobs where id = $1::bigint

-- name: find_run
select *
from (
  select x.*
  from run_rows x
  where x.partition = ($1::bigint & 65535)::integer and x.job_id = $1 and x.run_key = $2::bigint
    and x.origin <> :by_schedule
  union all
  select x.*
  from run_rows x
  where x.partition = ($1 & 65535)::integer and x.job_id = $1 and x.run_key = $2
    and x.scheduled_for = timestamptz 'epoch'
      + least(greatest($2, 0), 9000000000000000) * interval '1 microsecond'
    and x.origin = :by_schedule
) as x
limit 1

-- name: feeding
-- $1 job, $2 key, $3 when it was scheduled for. What a retry of a past run puts together: its job's
-- target and payload, then its own. The job stays as it is until the transaction ends. No row: it
-- has changed at this moment.
select n.target, n.payload, v.target, coalesce(h.payload, v.payload)
from history h
cross join lateral (select j.revision from jobs j where j.id = h.job_id limit 1 for share) as j
cross join lateral (
  select n.target, n.payload
  from job_revisions n
  where n.job_id = h.job_id and n.revision = j.revision
  limit 1
) as n
cross join lateral (
  select v.target, v.payload
  from job_revisions v
  where v.job_id = h.job_id and v.revision = h.revision
  limit 1
) as v
where h.partition = ($1::bigint & 65535)::integer and h.job_id = $1
  and h.scheduled_for = $3::timestamptz and h.run_key = $2::bigint

-- name: revive_run
-- $1 clock, $2 job, $3 key, $4 when it was scheduled for. The run is live again. On top of the
-- attempts it had, it gets as many as its job grants today. It keeps its payload; everything else
-- follows the job as it is today.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
gone as (
  delete from history h
  where h.partition = ($2::bigint & 65535)::integer and h.job_id = $2
    and h.scheduled_for = $4::timestamptz and h.run_key = $3::bigint and h.state + 0 <> :succeeded
  returning h.*
)
insert into runs (partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state, priority,
  scheduled_for, due_at, decided_at, stands_for, exclusive, attempt, max_attempts, retry_base,
  retry_cap, timeout, fence, epoch, node, payload, start_by)
select g.partition, g.job_id, g.run_key, j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, g.origin, :ready, j.priority,
  g.scheduled_for, greatest(g.scheduled_for, (select now from clock)), g.decided_at, g.stands_for,
  j.exclusive or j.live_limit < 2147483647, g.attempt, g.attempt + j.max_attempts, j.retry_base,
  j.retry_cap, j.timeout, g.fence, g.epoch, g.node, coalesce(g.payload, v.payload),
  (select now from clock) + j.start_within * interval '1 microsecond'
from gone g
cross join lateral (select j.* from jobs j where j.id = g.job_id limit 1) as j
cross join lateral (
  select v.payload
  from job_revisions v
  where v.job_id = g.job_id and v.revision = g.revision
  limit 1
) as v

-- name: repeat_run
-- $1 clock, $2 job, $3 key, $4 when it was scheduled for, $5 the key of the new run
insert into runs (partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state, priority,
  scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base, retry_cap,
  timeout, epoch, node, payload, start_by)
select j.partition, j.id, $5::bigint, j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, :by_retry, :ready, j.priority,
  h.scheduled_for, greatest(h.scheduled_for, c.now), c.now, h.stands_for, j.exclusive or j.live_limit < 2147483647,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, h.epoch, h.node,
  coalesce(h.payload, v.payload), c.now + j.start_within * interval '1 microsecond'
from (select coalesce($1::timestamptz, clock_timestamp()) as now) as c
cross join history h
cross join lateral (select j.* from jobs j where j.id = h.job_id limit 1) as j
cross join lateral (
  select v.payload
  from job_revisions v
  where v.job_id = h.job_id and v.revision = h.revision
  limit 1
) as v
where h.partition = ($2::bigint & 65535)::integer and h.job_id = $2
  and h.scheduled_for = $4::timestamptz and h.run_key = $3::bigint
on conflict do nothing

-- name: cancel_run
-- $1 clock, $2 job, $3 key, $4 who asks, $5 by which request
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
live as materialized (
  select r.*, (select now from clock) + (
      select j.stop_within from jobs j where j.id = r.job_id) * interval '1 microsecond' as stop_by
  from runs r
  where r.partition = ($2::bigint & 65535)::integer and r.job_id = $2 and r.run_key = $3::bigint
  for update
),
gone as (
  delete from runs r
  using live l
  where r.partition = any (array[l.partition]) and r.job_id = any (array[l.job_id])
    and r.run_key = any (array[l.run_key])
    and l.state <> :running
),
past as (
  select l.*, :run_cancelled as end_state, null::json as end_result, '' as end_error, 0 as end_reason
  from live l
  where l.state <> :running
),
finished as (
  -- include: history
),
told as (
  update runs r
  set cancel_requested = true, deadline = least(r.deadline, l.stop_by),
    lease_until = least(r.lease_until, l.stop_by)
  from live l
  where r.partition = any (array[l.partition]) and r.job_id = any (array[l.job_id])
    and r.run_key = any (array[l.run_key])
    and l.state = :running
),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select (select now from clock), l.tenant_id, $4::text, 'run.cancel',
    'run:' || l.job_id || ':' || l.run_key,
    $5::text::jsonb
  from live l
  where $4 <> ''
),
changed as (
  select l.tenant_id, l.job_id as id, l.run_key as number,
    case when l.state = :running then :running else :run_cancelled end as state
  from live l
),
noted as (
  -- include: outbox, kind = :of_runs
)
select count(*) from live
