-- Runs that end without a word from a worker. A run is ?1 partition, ?2 job, ?3 key.

-- name: is_unstarted
-- ?4 now. Where it waits.
select coalesce(queue, job_type) from runs
where partition = ?1 and job_id = ?2 and run_key = ?3
  and state <> :running and attempt = 0 and start_by <= ?4;

-- name: running_run
select tenant_id, fence, cancel_requested from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and state = :running;
