-- What people ask of runs. A run is ?1 partition, ?2 job, ?3 key.

-- name: job_status
select status, tenant_id from jobs where id = ?1;

-- name: backfill_terms
-- Which ticks of a job a backfill leaves to the schedule: those after this instant.
select case when j.status in (:active, :paused) then max(p.decided_through, j.effective_from) else ?2 end
from jobs j join partitions p on p.id = j.partition
where j.id = ?1 and j.status <> :deleted;

-- name: live_run
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, null,
  attempt, fence, revision, stands_for, epoch, node, worker, null, ''
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: past_run_by_key
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, result, error
from history indexed by history_key
where partition = ?1 and job_id = ?2 and run_key = ?3 and origin <> :by_schedule
limit 1;

-- name: past_run_by_tick
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at, finished_at,
  attempt, fence, revision, stands_for, epoch, node, worker, result, error
from history indexed by history_job
where partition = ?1 and job_id = ?2 and scheduled_for = ?3 and run_key = ?3
limit 1;

-- name: revive_run
-- A past run is live again. On top of the attempts it had, it gets as many as its job grants today.
-- It keeps its payload; everything else follows the job as it is today. ?4 its tick, ?5 now
insert into runs (
  partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state, priority,
  scheduled_for, due_at, decided_at, stands_for, exclusive, attempt, max_attempts, retry_base,
  retry_cap, timeout, fence, epoch, node, payload, start_by)
select h.partition, h.job_id, h.run_key, j.tenant_id, j.job_type, j.queue, j.run_in, j.revision, h.origin, :ready,
  j.priority, h.scheduled_for, max(h.scheduled_for, ?5), h.decided_at, h.stands_for,
  j.exclusive or j.live_limit < 2147483647, h.attempt, h.attempt + j.max_attempts, j.retry_base,
  j.retry_cap, j.timeout, h.fence, h.epoch, h.node, coalesce(h.payload, v.payload),
  ?5 + j.start_within
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

-- name: feeding
-- What a retry of a past run puts together: its job's target and payload, then its own. ?4 its tick
select n.target, n.payload, v.target, coalesce(h.payload, v.payload)
from history h indexed by history_job
  cross join jobs j on j.id = h.job_id
  cross join job_revisions n on n.job_id = j.id and n.revision = j.revision
  cross join job_revisions v on v.job_id = h.job_id and v.revision = h.revision
where h.partition = ?1 and h.job_id = ?2 and h.run_key = ?3 and h.scheduled_for = ?4;

-- name: state_of_run
select state, tenant_id from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: request_cancel
-- ?4 now
update runs
set cancel_requested = 1,
  deadline = min(deadline, ?4 + (select stop_within from jobs where id = ?2)),
  lease_until = min(lease_until, ?4 + (select stop_within from jobs where id = ?2))
where partition = ?1 and job_id = ?2 and run_key = ?3;
