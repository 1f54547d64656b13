-- Exclusive runs that wait for another run of their job.

-- name: set_blocked
update runs set blocked = ?4 where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: next_blocked
select run_key
from runs indexed by runs_blocked
where job_id = ?1 and blocked = 1
order by priority desc, due_at
limit 1;
