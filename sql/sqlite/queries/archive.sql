-- A run is over: it moves to the history. A run is ?1 partition, ?2 job, ?3 key.

-- name: leaving_run
select
  -- include: leaving_run
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: archive_run
-- ?4 and on: the columns of leaving_run, then how it ended
insert into history (
  partition, job_id, run_key,
  -- include: leaving_run
  , state, finished_at, result, error, reason)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22);

-- name: delete_run
delete from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: note_failure
-- ?1 job, ?2 tenant, ?3 now
insert into failing (job_id, tenant_id, in_a_row, since) values (?1, ?2, 1, ?3)
on conflict (job_id) do update set in_a_row = in_a_row + 1;

-- name: note_success
delete from failing where job_id = ?1;
