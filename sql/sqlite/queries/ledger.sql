-- What happened. The columns of a run are always in the order of sqlite/runs/run_row.

-- name: runs_of
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, null as finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, null as result, '' as error
from runs
where partition = ?1 and job_id = ?2
union all
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, result, error
from history
where partition = ?1 and job_id = ?2
order by scheduled_for, run_key;

-- name: skips_of
select job_id, first_tick, last_tick, count, reason, epoch
from skips
where partition = ?1 and job_id = ?2
order by first_tick;

-- name: attempts_of
select job_id, run_key, attempt, fence, outcome, started_at, finished_at, worker, error
from attempts
where partition = ?1 and job_id = ?2 and run_key = ?3
order by fence;
