-- Runs after they were handed out, and those without a tick. A run is ?1 partition, ?2 job, ?3 key; its fence ?4.

-- Looks come before changes here: an update with `returning` takes twice as long as one without.
-- name: cancel_requested
select cancel_requested
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = 1;

-- name: extend_lease
update runs
set lease_until = max(lease_until, ?4)
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- ?5 when it is due, if it has to wait
-- name: return_run
update runs
set state = iif(attempt > 1 or ?5 is not null, 2, 0), attempt = attempt - 1, worker = '',
  lease_until = null, deadline = null, started_at = null, due_at = coalesce(?5, due_at)
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = 1
  and not cancel_requested
returning tenant_id, state;

-- name: facts_of_grant
select job_id, run_key, fence, attempt, max_attempts, retry_base, retry_cap, cancel_requested,
  deadline <= ?5
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = 1;

-- name: expired_grants
select job_id, run_key, fence, attempt, max_attempts, retry_base, retry_cap, cancel_requested,
  deadline <= ?1
from runs indexed by runs_leases
where state = 1 and min(lease_until, deadline) <= ?1
order by min(lease_until, deadline)
limit ?2;

-- ?5 now, ?6 whether the lease or deadline must be over
-- name: add_attempt
insert into attempts (
  partition, job_id, run_key, attempt, fence, outcome, worker, started_at, finished_at, error)
select partition, job_id, run_key, attempt, fence, ?7, worker, started_at, ?5, ?8
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = 1
  and (not ?6 or min(lease_until, deadline) <= ?5);

-- name: retry_run
update runs
set state = 2, due_at = ?4, worker = '', lease_until = null, deadline = null, started_at = null
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: tenant_of_run
select tenant_id from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: archive_run
insert into history (
  partition, job_id, run_key, tenant_id, job_type, revision, origin, state, scheduled_for,
  decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch, node, result,
  error, payload)
select partition, job_id, run_key, tenant_id, job_type, revision, origin, ?4, scheduled_for,
  decided_at, started_at, ?5, stands_for, attempt, fence, worker, epoch, node, ?6, ?7, payload
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: delete_run
delete from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: state_of_run
select state, tenant_id from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: request_cancel
update runs set cancel_requested = 1 where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: next_due
select min(due_at) from runs indexed by runs_due where state <> 1 and due_at > ?1;

-- name: job_status
select status, tenant_id from jobs where id = ?1;

-- Which ticks of a job a backfill leaves to the schedule: those after this instant.
-- name: backfill_terms
select case when j.status in (0, 1) then max(p.decided_through, j.effective_from) else ?2 end
from jobs j join partitions p on p.id = j.partition
where j.id = ?1 and j.status <> 4;

-- A past run is live again, with as many attempts as its job grants today on top of those it had.
-- What it works on is what it had; how it is done is as the job says today. ?4 its tick, ?5 now
-- name: revive_run
insert into runs (
  partition, job_id, run_key, tenant_id, job_type, queue, revision, origin, state, priority,
  scheduled_for, due_at, decided_at, stands_for, exclusive, attempt, max_attempts, retry_base,
  retry_cap, timeout, fence, epoch, node, payload)
select h.partition, h.job_id, h.run_key, j.tenant_id, j.job_type, j.queue, j.revision, h.origin, 0,
  j.priority, h.scheduled_for, max(h.scheduled_for, ?5), h.decided_at, h.stands_for,
  j.exclusive or j.live_limit < 2147483647, h.attempt, h.attempt + j.max_attempts, j.retry_base,
  j.retry_cap, j.timeout, h.fence, h.epoch, h.node, coalesce(h.payload, v.payload)
from history h indexed by history_job
  cross join jobs j on j.id = h.job_id
  cross join job_revisions v on v.job_id = h.job_id and v.revision = h.revision
where h.partition = ?1 and h.job_id = ?2 and h.run_key = ?3 and h.scheduled_for = ?4;

-- name: forget_past_run
delete from history where partition = ?1 and job_id = ?2 and run_key = ?3 and scheduled_for = ?4;

-- name: payload_of_past_run
select coalesce(h.payload, v.payload)
from history h indexed by history_job
  cross join job_revisions v on v.job_id = h.job_id and v.revision = h.revision
where h.partition = ?1 and h.job_id = ?2 and h.run_key = ?3 and h.scheduled_for = ?4;
