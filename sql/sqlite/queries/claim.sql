-- Handing out due runs. Each statement seeks; none walks a backlog.

-- name: next_waiting_tenant
select min(tenant_id)
from runs indexed by runs_ready
where job_type = ?1 and tenant_id > ?2 and state <> 1;

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
where job_type = ?1 and tenant_id = ?2 and priority < ?3 and state <> 1;

-- name: due_runs
select r.rowid, r.due_at
from runs r indexed by runs_ready
where r.job_type = ?1 and r.tenant_id = ?2 and r.priority = ?3 and r.due_at <= ?4 and r.state <> 1
  and (r.exclusive = 0 or not exists (
    select 1 from runs o indexed by runs_in_flight
    where o.tenant_id = r.tenant_id and o.job_id = r.job_id and o.state = 1))
order by r.due_at
limit ?5;

-- The exclusive runs of one job may be due together: the first one that is granted stops the rest.
-- name: grant_run
update runs
set state = 1, attempt = attempt + 1, fence = ?2, worker = ?3, started_at = ?4, lease_until = ?5,
  deadline = ?4 + timeout
where rowid = ?1
  and (exclusive = 0 or not exists (
    select 1 from runs o indexed by runs_in_flight
    where o.tenant_id = runs.tenant_id and o.job_id = runs.job_id and o.state = 1))
returning job_id, run_key, tenant_id, (select name from jobs where id = job_id), job_type, fence,
  attempt, scheduled_for, lease_until, deadline, stands_for,
  (select v.target from job_revisions v
   where v.job_id = runs.job_id and v.revision = runs.revision),
  coalesce(payload, (
    select v.payload from job_revisions v
    where v.job_id = runs.job_id and v.revision = runs.revision));

-- name: last_fence
select value from counters where name = 'fences';

-- name: keep_last_fence
update counters set value = ?1 where name = 'fences';
