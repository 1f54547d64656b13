-- Live runs: who may have them, and which there are. A run is ?1 partition, ?2 job, ?3 key.

-- name: room_of_tenant
-- How many more runs the tenant may have in flight; null without a limit.
select max_in_flight - (
  select count(*) from runs indexed by runs_holding_room where tenant_id = ?1 and holds_room = 1)
from tenants
where id = ?1 and max_in_flight > 0;

-- name: any_limited_type
select exists (select 1 from job_types indexed by job_types_limited where max_concurrent > 0 or starts > 0);

-- name: room_of_type
-- Of the run's type, if that has limits: how many of its runs are in flight, and what is paid for.
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.next_start, (
  select count(*) from runs indexed by runs_holding_room
  where tenant_id = t.tenant_id and job_type = t.name and holds_room = 1)
from runs r cross join job_types t on t.tenant_id = r.tenant_id and t.name = r.job_type
where r.partition = ?1 and r.job_id = ?2 and r.run_key = ?3 and (t.max_concurrent > 0 or t.starts > 0);

-- name: pay_for_starts
-- ?1 tenant, ?2 type, ?3 until when the starts are paid for
update job_types set next_start = ?3 where tenant_id = ?1 and name = ?2;

-- name: grant_run
-- The conditions on the row are the only truth; the caller may be wrong about all of it.
update runs
set state = :running, attempt = attempt + 1, fence = ?4, worker = ?5, started_at = ?6, lease_until = ?7,
  deadline = ?6 + timeout, holds_room = ?8, holder = ?9, claim = ?10
where partition = ?1 and job_id = ?2 and run_key = ?3 and state <> :running and due_at <= ?6
  and (run_in = :anywhere or partition / 256 = ?11)
  and (not exclusive or not exists (
    select 1 from runs o
    where o.partition = ?1 and o.job_id = ?2 and o.run_key <> ?3 and o.state = :running));

-- name: granted_run
-- Not `returning` of the update: with it the update takes twice as long.
select r.tenant_id, j.name, r.job_type, r.attempt, r.scheduled_for,
  iif(r.decided_at > r.scheduled_for + 1000000, r.scheduled_for, r.due_at), r.deadline, r.stands_for, v.target,
  coalesce(r.payload, v.payload)
from runs r
  cross join jobs j on j.id = r.job_id
  cross join job_revisions v on v.job_id = r.job_id and v.revision = r.revision
where r.partition = ?1 and r.job_id = ?2 and r.run_key = ?3;

-- name: last_fence
select value from counters where name = 'fences';

-- name: keep_last_fence
update counters set value = ?1 where name = 'fences';

-- name: read_live
-- ?1 partition
select job_id, run_key, tenant_id, coalesce(queue, job_type), priority, due_at, exclusive,
  state = :running, fence, min(lease_until, deadline), claim, holder,
  iif(attempt = 0, start_by, null), job_type, run_in
from runs
where partition = ?1;

-- name: find_live
select job_id, run_key, tenant_id, coalesce(queue, job_type), priority, due_at, exclusive,
  state = :running, fence, min(lease_until, deadline), claim, holder,
  iif(attempt = 0, start_by, null), job_type, run_in
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: find_waiting
-- ?1 now
select job_id, run_key, tenant_id, coalesce(queue, job_type), priority, due_at, exclusive, 0, fence, null, 0,
  null, null, job_type, run_in
from runs
where state <> :running and due_at <= ?1;

-- name: unusual_tenants
select id, weight, max_in_flight from tenants indexed by tenants_unusual
where weight <> 1 or max_in_flight <> 0;

-- name: limited_types
select tenant_id, name, max_concurrent, starts, per, burst from job_types indexed by job_types_limited
where max_concurrent > 0 or starts > 0;
