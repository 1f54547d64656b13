-- Owners of jobs.

-- name: tenant_before
-- $1 tenant, or 0 and $2 its name: as it is before it is put
select t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from tenants t
where t.id = coalesce((select n.id from tenants n where n.name = $2::text and $1 = 0), $1::bigint)
for no key update

-- name: add_tenant
-- $1 clock, $2 name, $3 weight, $4 max_in_flight, $5 max_jobs, $6 max_requests
insert into tenants (name, weight, max_in_flight, max_jobs, max_requests, created_at)
values ($2::text, $3::integer, $4::integer, $5::integer, $6::integer,
  coalesce($1::timestamptz, clock_timestamp()))
on conflict (name) do update
set weight = excluded.weight, max_in_flight = excluded.max_in_flight,
  max_jobs = excluded.max_jobs, max_requests = excluded.max_requests
returning id

-- name: change_tenant
-- $1 tenant, $2 name, $3 weight, $4 max_in_flight, $5 max_jobs, $6 max_requests
update tenants set name = $2::text, weight = $3::integer, max_in_flight = $4::integer,
  max_jobs = $5::integer, max_requests = $6::integer
where id = $1::bigint
returning id

-- name: count_running
-- $1 tenant, which has a limit now: what already runs counts, too
update runs r set holds_room = true
where r.tenant_id = $1::bigint and r.state + 0 = :running and not r.holds_room

-- name: find_tenant
select t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from tenants t
where t.id = $1::bigint

-- name: find_tenant_by_name
select t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from tenants t
where t.name = $1::text

-- name: list_tenants
-- $1 after, $2 how many
select t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from tenants t
where t.name > $1::text
order by t.name
limit $2::bigint
