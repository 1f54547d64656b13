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

-- name: note_failure
-- ?1 job, ?2 tenant, ?3 now
insert into failing (job_id, tenant_id, in_a_row, since) values (?1, ?2, 1, ?3)
on conflict (job_id) do update set in_a_row = in_a_row + 1;

-- name: note_success
delete from failing where job_id = ?1;
