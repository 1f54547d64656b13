-- What happened.

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
-- The attempt that succeeded is what the history says of its run (attempts.sql).
with
written as (
  select a.*
  from attempts a
  where a.partition = ($1::bigint & 65535)::integer and a.job_id = $1 and a.run_key = $2::bigint
),
past as (
  -- include: past_run, job = $1::bigint, key = $2::bigint, since = timestamptz '-infinity'
)
select a.job_id, a.run_key, a.attempt, a.fence, a.outcome, a.started_at, a.finished_at, a.worker,
  a.error
from written a
union all
select h.job_id, h.run_key, h.attempt, h.fence, :attempt_succeeded::smallint, h.started_at,
  h.finished_at, h.worker, h.error
from past h
where h.state = :succeeded and h.fence > 0
  and not exists (select from written a where a.fence = h.fence)
order by attempt, fence
