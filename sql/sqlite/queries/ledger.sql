-- What happened. The columns of a run are always in the order of sqlite/ledger.

-- name: runs_of_job
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

-- name: live_run
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, null,
  attempt, fence, revision, stands_for, epoch, node, worker, null, ''
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: past_run_by_key
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, result, error
from history indexed by history_key
where partition = ?1 and job_id = ?2 and run_key = ?3 and origin <> 0
limit 1;

-- name: past_run_by_tick
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, result, error
from history indexed by history_job
where partition = ?1 and job_id = ?2 and scheduled_for = ?3 and run_key = ?3
limit 1;

-- name: skips_of_job
select job_id, first_tick, last_tick, count, reason, epoch
from skips
where partition = ?1 and job_id = ?2
order by first_tick;

-- name: attempts_of_run
select job_id, run_key, attempt, fence, outcome, started_at, finished_at, worker, error
from attempts
where partition = ?1 and job_id = ?2 and run_key = ?3
order by fence;

-- name: outcome_of_grant
select outcome
from attempts
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4;
