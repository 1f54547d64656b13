-- A run is over: it moves to the history. A run is ?1 partition, ?2 job, ?3 key.

-- name: tenant_of_run
select tenant_id from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: archive_run
insert into history (
  partition, job_id, run_key, tenant_id, job_type, revision, origin, state, scheduled_for,
  decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch, node, result,
  error, payload, reason)
select partition, job_id, run_key, tenant_id, job_type, revision, origin, ?4, scheduled_for,
  decided_at, started_at, ?5, stands_for, attempt, fence, worker, epoch, node, ?6, ?7, payload, ?8
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: delete_run
delete from runs where partition = ?1 and job_id = ?2 and run_key = ?3;
