-- Runs that end without a word from a worker.

-- name: give_up
-- $1 clock, $2 jobs, $3 keys; each once, in the order in which every batch locks
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
gone as (
  delete from runs r
  using (
    select *, (job_id & 65535)::integer as partition
    from unnest($2::bigint[], $3::bigint[]) as a (job_id, run_key)
  ) as a
  where r.partition = any (array[a.partition]) and r.job_id = any (array[a.job_id])
    and r.run_key = any (array[a.run_key])
    and r.state + 0 <> :running and r.attempt = 0 and r.start_by <= (select now from clock)
  returning r.*
),
past as (
  select g.*, :dead as end_state, null::json as end_result,
    case when g.queue = 'CHECKIN *' then 'no check-in came in time' else 'nobody started it in time' end as end_error,
    :not_started as end_reason
  from gone g
),
finished as (
  -- include: history
),
worse as (
  -- include: failing
),
changed as (
  select g.tenant_id, g.job_id as id, g.run_key as number, :dead as state from gone g
),
announced as (
  -- include: outbox, kind = :of_runs
)
select g.job_id, g.run_key from gone g

-- name: unstick_run
-- $1 clock, $2 job, $3 key, $4 who asks, $5 by which request, $6 why
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
gone as (
  delete from runs r
  where r.partition = ($2::bigint & 65535)::integer and r.job_id = $2 and r.run_key = $3::bigint
    and r.state + 0 = :running
  returning r.*
),
past as (
  select g.*, case when g.cancel_requested then :run_cancelled else :dead end as end_state,
    null::json as end_result, $6::text as end_error,
    case when g.cancel_requested then 0 else :unstuck end as end_reason
  from gone g
),
finished as (
  -- include: history
),
worse as (
  -- include: failing
),
noted as (
  insert into attempts (partition, job_id, run_key, attempt, fence, outcome, worker, started_at,
    finished_at, error)
  select p.partition, p.job_id, p.run_key, p.attempt, p.fence, :lease_lost, p.worker, p.started_at,
    (select now from clock), p.end_error
  from past p
),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select (select now from clock), g.tenant_id, $4::text, 'run.unstick',
    'run:' || g.job_id || ':' || g.run_key,
    $5::text::jsonb || jsonb_build_object('note', $6)
  from gone g
  where $4 <> ''
),
changed as (
  select p.tenant_id, p.job_id as id, p.run_key as number, p.end_state as state from past p
),
announced as (
  -- include: outbox, kind = :of_runs
)
select count(*) from gone
