-- What happens to a run while somebody holds it. A grant is (job, key, fence); callers send each
-- once, in the order of their keys, so that all batches lock in one order. `state + 0`: rows are
-- found by their keys, never by an index of running ones, however small that may look.
--
-- `= any (array[x])` is an equality for an index, which ends the scan at the row, but not for a
-- join: a table that looks empty to the planner would be read whole and hashed. (A row between two
-- equal rows is not an equality for an index: its scan goes on to the end of the partition, through
-- the dead rows there.)

-- name: heartbeat
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 lease
update runs r
set lease_until = least(r.deadline, greatest(r.lease_until,
  coalesce($1::timestamptz, clock_timestamp()) + $5::bigint * interval '1 microsecond'))
from (
  select *, (job_id & 65535)::integer as partition
  from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as g (job_id, run_key, fence)
) as g
where r.partition = any (array[g.partition]) and r.job_id = any (array[g.job_id])
    and r.run_key = any (array[g.run_key])
  and r.fence = g.fence and r.state + 0 = :running
returning r.job_id, r.run_key, r.fence, r.cancel_requested

-- name: return_runs
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 how long they have to wait
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
returned as (
  update runs r
  set state = case when r.attempt > 1 or $5::bigint > 0 then :retrying else :ready end, attempt = r.attempt - 1,
    worker = '', lease_until = null, deadline = null, started_at = null, claim = 0, holder = null,
    holds_job = false, holds_room = false,
    due_at = case when $5 = 0 then r.due_at
      else (select now from clock) + $5 * interval '1 microsecond' end
  from (
    select *, (job_id & 65535)::integer as partition
    from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as g (job_id, run_key, fence)
  ) as g
  where r.partition = any (array[g.partition]) and r.job_id = any (array[g.job_id])
      and r.run_key = any (array[g.run_key])
    and r.fence = g.fence and r.state + 0 = :running and not r.cancel_requested
  returning r.tenant_id, r.job_id, r.run_key, r.state
),
changed as (
  select r.tenant_id, r.job_id as id, r.run_key as number, r.state from returned r
)
-- include: outbox, kind = :of_runs

-- name: facts_of
-- $1 clock, $2 jobs, $3 keys, $4 fences
select r.job_id, r.run_key, r.fence, r.attempt, r.max_attempts, r.retry_base, r.retry_cap,
  r.cancel_requested, r.deadline <= coalesce($1::timestamptz, clock_timestamp())
from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as g (job_id, run_key, fence)
cross join lateral (
  select x.*
  from runs x
  where x.partition = (g.job_id & 65535)::integer and x.job_id = g.job_id and x.run_key = g.run_key
  limit 1
) as r
where r.fence = g.fence and r.state = :running

-- name: end_attempts
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 outcomes, $6 next states, $7 waits, $8 results,
-- $9 errors, $10 only if expired, $11 why a run is dead. Answers those that were not ended, which are
-- usually none.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
input as materialized (
  select e.job_id, e.run_key, e.fence, (e.job_id & 65535)::integer as partition,
    e.outcome, e.next, e.wait, e.result, e.error, e.only_if_expired, e.reason
  from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::smallint[], $6::smallint[],
      $7::bigint[], $8::text[], $9::text[], $10::boolean[], $11::smallint[])
    as e (job_id, run_key, fence, outcome, next, wait, result, error, only_if_expired, reason)
),
gone as (
  delete from runs r
  using input i
  where i.next <> :retrying and r.partition = any (array[i.partition]) and r.job_id = any (array[i.job_id])
    and r.run_key = any (array[i.run_key])
    and r.fence = i.fence and r.state + 0 = :running
    and (not i.only_if_expired or least(r.lease_until, r.deadline) <= (select now from clock)
      or is_gone(r.holder, (select now from clock)))
  returning r.*, i.next, i.outcome, i.result, i.error, i.reason
),
-- An update returns the new row but the attempt needs the old one, so that is locked and
-- read first.
failed as materialized (
  select r.*, i.wait, i.outcome, i.error
  from input i
  cross join lateral (
    select r.*
    from runs r
    where i.next = :retrying
      and r.partition = i.partition and r.job_id = i.job_id and r.run_key = i.run_key
      and r.fence = i.fence and r.state + 0 = :running
      and (not i.only_if_expired or least(r.lease_until, r.deadline) <= (select now from clock)
        or is_gone(r.holder, (select now from clock)))
    for update
  ) as r
),
retried as (
  update runs r
  set state = :retrying, due_at = (select now from clock) + f.wait * interval '1 microsecond', worker = '',
    lease_until = null, deadline = null, started_at = null, holds_job = false, holds_room = false,
    claim = 0, holder = null
  from failed f
  where r.partition = any (array[f.partition]) and r.job_id = any (array[f.job_id])
    and r.run_key = any (array[f.run_key])
),
past as (
  select g.*, g.next as end_state, nullif(g.result, '')::json as end_result, g.error as end_error,
    g.reason as end_reason
  from gone g
),
finished as (
  -- include: history
),
worse as (
  -- include: failing
),
better as (
  -- include: recovered
),
ended as materialized (
  select partition, job_id, run_key, attempt, fence, outcome, worker, started_at, error, next
  from gone
  union all
  select partition, job_id, run_key, attempt, fence, outcome, worker, started_at, error, :retrying
  from failed
),
-- The attempt that succeeds needs no row: all of it is in its run's.
noted as (
  insert into attempts (partition, job_id, run_key, attempt, fence, outcome, worker, started_at,
    finished_at, error)
  select e.partition, e.job_id, e.run_key, e.attempt, e.fence, e.outcome, e.worker, e.started_at,
    (select now from clock), e.error
  from ended e
  where e.outcome <> :attempt_succeeded or e.next <> :succeeded
),
changed as (
  select tenant_id, job_id as id, run_key as number, next as state from gone
  union all
  select tenant_id, job_id, run_key, :retrying::smallint from failed
),
announced as (
  -- include: outbox, kind = :of_runs
)
select i.job_id, i.run_key, i.fence
from input i
where (select count(*) from ended) < (select count(*) from input)
  and (i.job_id, i.run_key, i.fence) not in (select e.job_id, e.run_key, e.fence from ended e)

-- name: end_successes
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 results. What `end_attempts` does where all are plain
-- successes, which nearly all are: without what failures need it costs two thirds. Answers those
-- that were not ended: usually none.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
past as (
  delete from runs r
  using (
    select *, (job_id & 65535)::integer as partition
    from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) as g (job_id, run_key, fence, result)
  ) as g
  where r.partition = any (array[g.partition]) and r.job_id = any (array[g.job_id])
      and r.run_key = any (array[g.run_key])
    and r.fence = g.fence and r.state + 0 = :running
  returning r.partition, r.job_id, r.run_key, r.tenant_id, r.job_type, r.revision, r.origin,
    r.scheduled_for, r.decided_at, r.started_at, r.stands_for, r.attempt, r.fence, r.worker, r.epoch,
    r.node, r.payload, :succeeded::smallint as end_state, nullif(g.result, '')::json as end_result,
    '' as end_error, 0::smallint as end_reason
),
finished as (
  -- include: history
),
better as (
  -- include: recovered
),
changed as (
  select p.tenant_id, p.job_id as id, p.run_key as number, p.end_state as state from past p
),
announced as (
  -- include: outbox, kind = :of_runs
)
select g.job_id, g.run_key, g.fence
from unnest($2, $3, $4) as g (job_id, run_key, fence)
where (select count(*) from past) < cardinality($2)
  and (g.job_id, g.run_key, g.fence) not in (select p.job_id, p.run_key, p.fence from past p)

-- name: outcomes_of
-- $1 clock, $2 jobs, $3 keys, $4 fences. Only of the last day: a caller that lost a reply asks
-- sooner, and older partitions need not be read.
with
clock as materialized (
  select coalesce($1::timestamptz, clock_timestamp()) - interval '1 day' as since
)
select g.job_id, g.run_key, g.fence, a.outcome
from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as g (job_id, run_key, fence)
cross join lateral (
  select a.outcome
  from attempts a
  where a.partition = (g.job_id & 65535)::integer and a.job_id = g.job_id
    and a.run_key = g.run_key and a.fence = g.fence
    and a.finished_at > (select since from clock)
  union all
  select :attempt_succeeded::smallint
  from (
    -- include: past_run, job = g.job_id, key = g.run_key, since = (select since from clock)
  ) as h
  where h.state = :succeeded and h.fence = g.fence
  limit 1
) as a

-- name: note_late
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 what was said
with
clock as materialized (
  select coalesce($1::timestamptz, clock_timestamp()) - interval '1 day' as since
),
late as materialized (
  select g.*, (g.job_id & 65535)::integer as partition
  from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])
    as g (job_id, run_key, fence, said)
),
noted as (
  update attempts a
  set error = case when a.error = '' then g.said else a.error || '; ' || g.said end
  from late g
  where a.partition = any (array[g.partition]) and a.job_id = any (array[g.job_id])
    and a.run_key = any (array[g.run_key]) and a.fence = g.fence
    and a.finished_at > (select since from clock)
    and position(g.said in a.error) = 0
)
-- One that had succeeded gets its row now.
insert into attempts (partition, job_id, run_key, attempt, fence, outcome, worker, started_at,
  finished_at, error)
select h.partition, h.job_id, h.run_key, h.attempt, h.fence, :attempt_succeeded, h.worker,
  h.started_at, h.finished_at, g.said
from late g
cross join lateral (
  -- include: past_run, job = g.job_id, key = g.run_key, since = (select since from clock)
) as h
where h.state = :succeeded and h.fence = g.fence
  and not exists (
    select
    from attempts a
    where a.partition = g.partition and a.job_id = g.job_id and a.run_key = g.run_key
      and a.fence = g.fence)
