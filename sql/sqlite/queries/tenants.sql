-- Owners of jobs.

-- name: add_tenant
insert into tenants (name, weight, max_in_flight, max_jobs, max_requests, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6)
on conflict (name) do update
set weight = excluded.weight, max_in_flight = excluded.max_in_flight,
  max_jobs = excluded.max_jobs, max_requests = excluded.max_requests
returning id;

-- name: change_tenant
update tenants set name = ?1, weight = ?2, max_in_flight = ?3, max_jobs = ?4,
  max_requests = ?5
where id = ?6;

-- name: count_running
-- A tenant that has a limit now: what already runs counts, too.
update runs indexed by runs_listed set holds_room = 1
where tenant_id = ?1 and state = :running and holds_room = 0;

-- name: find_tenant
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants where id = ?1;

-- name: find_tenant_by_name
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants where name = ?1;

-- name: list_tenants
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants
where name > ?1
order by name
limit ?2;
