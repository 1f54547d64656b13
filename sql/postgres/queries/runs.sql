-- Runs that people ask for, and reading what happened.

-- name: trigger
-- $1 clock, $2 job, $3 key, $4 origin, $5 tick, $6 payload. No row: no such job. A row of nulls:
-- somebody else made the same run at this moment, and asking again finds it.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
job as materialized (
  select j.*, p.epoch, coalesce(p.owner, '00000000-0000-0000-0000-000000000000') as node
  from jobs j
  join partitions p on p.id = j.partition
  where j.id = $2::bigint and j.status + 0 <> 4  -- by its id, not by an index of such jobs
),
old as materialized (
  select *
  from (
    select x.*
    from run_rows x
    where x.partition = ($2 & 65535)::integer and x.job_id = $2 and x.run_key = $3::bigint
      and x.origin <> 0
    union all
    select x.*
    from run_rows x
    where x.partition = ($2 & 65535)::integer and x.job_id = $2 and x.run_key = $3
      and x.scheduled_for = timestamptz 'epoch' + $3 * interval '1 microsecond'
      and x.origin = 0
  ) as x
  limit 1
),
made as (
  insert into runs (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
    priority, scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base,
    retry_cap, timeout, epoch, node, payload)
  select j.partition, j.id, $3, j.tenant_id, j.job_type, j.revision, $4::smallint, 0, j.priority,
    coalesce($5::timestamptz, c.now), c.now, c.now, 1, j.exclusive, j.max_attempts, j.retry_base,
    j.retry_cap, j.timeout, j.epoch, j.node, $6::text::json
  from job j cross join clock c
  where not exists (select from old)
  on conflict do nothing
  returning *
),
run as (
  select * from old
  union all
  select m.job_id, m.run_key, m.state, m.origin, m.scheduled_for, m.decided_at, m.started_at, null,
    m.attempt, m.fence, m.revision, m.stands_for, m.epoch, m.node, m.worker, null, '', m.partition
  from made m
)
select r.* from job left join run r on true

-- name: cancel_run
-- $1 clock, $2 job, $3 key
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
live as materialized (
  select r.*
  from runs r
  where r.partition = ($2::bigint & 65535)::integer and r.job_id = $2 and r.run_key = $3::bigint
  for update
),
gone as (
  delete from runs r
  using live l
  where (r.partition, r.job_id, r.run_key)
    between (l.partition, l.job_id, l.run_key) and (l.partition, l.job_id, l.run_key)
    and l.state <> 1
),
finished as (
  insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
    scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch,
    node, result, error)
  select l.partition, l.job_id, l.run_key, l.tenant_id, l.job_type, l.revision, l.origin, 6,
    l.scheduled_for, l.decided_at, l.started_at, (select now from clock), l.stands_for, l.attempt,
    l.fence, l.worker, l.epoch, l.node, null, ''
  from live l
  where l.state <> 1
),
told as (
  update runs r set cancel_requested = true
  from live l
  where (r.partition, r.job_id, r.run_key)
    between (l.partition, l.job_id, l.run_key) and (l.partition, l.job_id, l.run_key)
    and l.state = 1
)
select count(*) from live

-- name: runs_of
select * from run_rows
where partition = ($1::bigint & 65535)::integer and job_id = $1
order by scheduled_for, run_key

-- name: skips_of
select s.job_id, s.first_tick, s.last_tick, s.count, s.reason, s.epoch
from skips s
where s.partition = ($1::bigint & 65535)::integer and s.job_id = $1
order by s.first_tick

-- name: attempts_of
select a.job_id, a.run_key, a.attempt, a.fence, a.outcome, a.started_at, a.finished_at, a.worker,
  a.error
from attempts a
where a.partition = ($1::bigint & 65535)::integer and a.job_id = $1 and a.run_key = $2::bigint
order by a.attempt, a.fence
