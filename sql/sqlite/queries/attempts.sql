-- What happens to a run while somebody holds it. A run is ?1 partition, ?2 job, ?3 key; its fence ?4.
--
-- Looks come before changes here: an update with `returning` takes twice as long as one without.

-- name: cancel_requested
select cancel_requested
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = :running;

-- name: extend_lease
update runs
set lease_until = min(deadline, max(lease_until, ?4))
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: return_run
-- ?5 when it is due, if it has to wait
update runs
set state = iif(attempt > 1 or ?5 is not null, :retrying, :ready), attempt = attempt - 1, worker = '',
  lease_until = null, deadline = null, started_at = null, holds_room = 0,
  claim = 0, holder = null, due_at = coalesce(?5, due_at)
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = :running
  and not cancel_requested
returning tenant_id, state;

-- name: facts_of
select job_id, run_key, fence, attempt, max_attempts, retry_base, retry_cap, cancel_requested,
  deadline <= ?5
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = :running;

-- name: ending_run
-- ?5 now, ?6 whether the lease or deadline must be over
select
  -- include: leaving_run
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = :running
  and (not ?6 or min(lease_until, deadline) <= ?5
    or exists (select 1 from nodes n where n.incarnation = holder and n.lease_until <= ?5));

-- name: add_attempt
insert into attempts (
  partition, job_id, run_key, fence, attempt, outcome, worker, started_at, finished_at, error)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10);

-- name: retry_run
update runs
set state = :retrying, due_at = ?4, worker = '', lease_until = null, deadline = null, started_at = null,
  holds_room = 0, claim = 0, holder = null
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: outcome_of
select outcome
from attempts
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4;

-- name: note_late
-- ?4 the fence, ?5 what was said
update attempts
set error = iif(error = '', ?5, error || '; ' || ?5)
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and instr(error, ?5) = 0;
