-- What holds for all jobs of a type. ?1 tenant, ?2 name.

-- name: count_types
-- besides this one
select count(*) from job_types where tenant_id = ?1 and name <> ?2;

-- name: put_type
-- ?3 max_concurrent, ?4 starts, ?5 per, ?6 burst, ?7 max_attempts, ?8 timeout, ?9 start_within,
-- ?10 misfire_grace, ?11 actor, ?12 now. What was started before is forgiven.
insert into job_types (tenant_id, name, max_concurrent, starts, per, burst, max_attempts, timeout,
  start_within, misfire_grace, updated_at, updated_by)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?12, ?11)
on conflict (tenant_id, name) do update
set max_concurrent = excluded.max_concurrent, starts = excluded.starts, per = excluded.per,
  burst = excluded.burst, next_start = null, max_attempts = excluded.max_attempts,
  timeout = excluded.timeout, start_within = excluded.start_within,
  misfire_grace = excluded.misfire_grace, updated_at = excluded.updated_at,
  updated_by = excluded.updated_by;

-- name: count_running_of_type
-- which has a limit now: what already runs counts, too
update runs indexed by runs_listed set holds_room = 1
where tenant_id = ?1 and job_type = ?2 and state = :running and holds_room = 0;

-- name: find_type
select tenant_id, name, max_concurrent, starts, per, burst, max_attempts, timeout, start_within,
  misfire_grace, updated_at, updated_by
from job_types
where tenant_id = ?1 and name = ?2;

-- name: list_types
-- those after, ?3 how many
select tenant_id, name, max_concurrent, starts, per, burst, max_attempts, timeout, start_within,
  misfire_grace, updated_at, updated_by
from job_types
where tenant_id = ?1 and name > ?2
order by name
limit ?3;

-- name: delete_type
delete from job_types where tenant_id = ?1 and name = ?2;

-- name: type_loads
-- ?1 now, ?2 how far to look. By queue, because other runs wait there, too.
select t.tenant_id, t.name, t.max_concurrent, t.starts, t.per, t.burst, t.next_start,
  (select count(*) from runs indexed by runs_holding_room
    where tenant_id = t.tenant_id and job_type = t.name and holds_room = 1),
  w.queue, coalesce(w.waiting, 0), w.since
from job_types t
  left join (
    select tenant_id, job_type, coalesce(queue, job_type) as queue, count(*) as waiting, min(due_at) as since
    from (select * from runs limit ?2)
    where state <> :running and due_at <= ?1
    group by tenant_id, job_type, coalesce(queue, job_type)
  ) as w on w.tenant_id = t.tenant_id and w.job_type = t.name
where t.max_concurrent > 0 or t.starts > 0
order by t.tenant_id, t.name, w.queue;
