-- Handing out due runs. Each statement seeks; none walks a backlog.

-- name: next_lane
-- The next tenant with runs that wait, and the highest priority of these.
select tenant_id, priority
from runs indexed by runs_ready
where coalesce(queue, job_type) = ?1 and tenant_id > ?2 and state <> :running and blocked = 0
order by tenant_id, priority desc
limit 1;

-- name: tenant_terms
-- How many more runs the tenant may have in flight; without a limit nothing is counted.
select weight,
  case when max_in_flight = 0 then 9223372036854775807
    else max_in_flight - (
      select count(*) from runs indexed by runs_in_flight where tenant_id = ?1 and state = :running)
  end
from tenants
where id = ?1;

-- name: next_priority
select max(priority)
from runs indexed by runs_ready
where coalesce(queue, job_type) = ?1 and tenant_id = ?2 and priority < ?3 and state <> :running
  and blocked = 0;

-- name: due_runs
-- Best first, and whether another run of its job keeps it waiting. Read from the index alone: most
-- of these runs are not granted.
select r.exclusive, r.exclusive = 1 and exists (
    select 1 from runs o indexed by runs_in_flight
    where o.tenant_id = r.tenant_id and o.job_id = r.job_id and o.state = :running),
  r.due_at, r.job_id, r.run_key
from runs r indexed by runs_ready
where coalesce(r.queue, r.job_type) = ?1 and r.tenant_id = ?2 and r.priority = ?3 and r.due_at <= ?4
  and r.state <> :running and r.blocked = 0
order by r.due_at
limit ?5;

-- name: grant_run
update runs
set state = :running, attempt = attempt + 1, fence = ?4, worker = ?5, started_at = ?6, lease_until = ?7,
  deadline = ?6 + timeout
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: granted_run
-- Not `returning` of the update: with it the update takes twice as long.
select r.tenant_id, j.name, r.job_type, r.attempt, r.scheduled_for, r.deadline, r.stands_for, v.target,
  coalesce(r.payload, v.payload)
from runs r
  cross join jobs j on j.id = r.job_id
  cross join job_revisions v on v.job_id = r.job_id and v.revision = r.revision
where r.partition = ?1 and r.job_id = ?2 and r.run_key = ?3;

-- name: last_fence
select value from counters where name = 'fences';

-- name: keep_last_fence
update counters set value = ?1 where name = 'fences';

-- name: next_due
select min(due_at) from runs indexed by runs_due where state <> :running and due_at > ?1;
