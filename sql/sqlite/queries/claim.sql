-- Handing out due runs. Each statement seeks; none walks a backlog.

-- The next tenant with runs that wait, and the highest priority of these.
-- name: next_lane
select tenant_id, priority
from runs indexed by runs_ready
where coalesce(queue, job_type) = ?1 and tenant_id > ?2 and state <> 1
order by tenant_id, priority desc
limit 1;

-- How many more runs the tenant may have in flight; without a limit nobody counts.
-- name: tenant_terms
select weight,
  case when max_in_flight = 0 then 9223372036854775807
    else max_in_flight - (
      select count(*) from runs indexed by runs_in_flight where tenant_id = ?1 and state = 1)
  end
from tenants
where id = ?1;

-- name: next_priority
select max(priority)
from runs indexed by runs_ready
where coalesce(queue, job_type) = ?1 and tenant_id = ?2 and priority < ?3 and state <> 1;

-- Best first. The joins look up one row each; `cross` keeps the planner from starting with them.
-- name: due_runs
select r.exclusive, r.due_at, r.timeout, r.job_id, r.run_key, r.tenant_id, j.name, r.job_type,
  r.attempt + 1, r.scheduled_for, r.stands_for, v.target, coalesce(r.payload, v.payload)
from runs r indexed by runs_ready
  cross join jobs j on j.id = r.job_id
  cross join job_revisions v on v.job_id = r.job_id and v.revision = r.revision
where coalesce(r.queue, r.job_type) = ?1 and r.tenant_id = ?2 and r.priority = ?3 and r.due_at <= ?4 and r.state <> 1
  and (r.exclusive = 0 or not exists (
    select 1 from runs o indexed by runs_in_flight
    where o.tenant_id = r.tenant_id and o.job_id = r.job_id and o.state = 1))
order by r.due_at
limit ?5;

-- name: grant_run
update runs
set state = 1, attempt = ?4, fence = ?5, worker = ?6, started_at = ?7, lease_until = ?8,
  deadline = ?9
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: last_fence
select value from counters where name = 'fences';

-- name: keep_last_fence
update counters set value = ?1 where name = 'fences';
