-- Tenants, keys, and who changed what.

-- ?1 now, ?2 tenant, ?3 action, ?4 object, ?5 request, ?6 actor; the detail follows by add_detail
-- name: add_audit
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?6, ?3, ?4, iif(?5 = '', '{}', json_object('request_id', ?5)));

-- One more member of the newest row's detail.
-- name: add_detail
update audit set detail = json_set(detail, '$.' || ?1, ?2)
where seq = (select max(seq) from audit);

-- ?1 tenant, ?2 before, ?3 how many
-- name: list_audit
select seq, at, tenant_id, actor, action, object, detail
from audit
where tenant_id = ?1 and seq < ?2
order by seq desc
limit ?3;

-- ?1 before, ?2 how many
-- name: list_all_audit
select seq, at, tenant_id, actor, action, object, detail
from audit
where seq < ?1
order by seq desc
limit ?2;

-- name: put_tenant_by_name
insert into tenants (name, weight, max_in_flight, max_jobs, max_requests, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6)
on conflict (name) do update
set weight = excluded.weight, max_in_flight = excluded.max_in_flight,
  max_jobs = excluded.max_jobs, max_requests = excluded.max_requests
returning id;

-- name: update_tenant
update tenants set name = ?1, weight = ?2, max_in_flight = ?3, max_jobs = ?4,
  max_requests = ?5
where id = ?6;

-- name: find_tenant
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants where id = ?1;

-- name: find_tenant_by_name
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants where name = ?1;

-- name: list_tenants
select id, name, weight, max_in_flight, max_jobs, max_requests, created_at from tenants
where name > ?1
order by name
limit ?2;

-- name: add_key
insert into api_keys (tenant_id, name, hash, scope, created_at, expires_at, created_by)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7);

-- name: key_of_hash
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by
from api_keys
where hash = ?1;

-- ?1 hash, ?2 now
-- name: find_key
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from api_keys k cross join tenants t on t.id = k.tenant_id
where k.hash = ?1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?2);

-- name: list_keys
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by
from api_keys
where tenant_id = ?1
order by id desc
limit 10000;

-- ?1 tenant, ?2 key
-- name: key_of_tenant
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by
from api_keys
where id = ?2 and tenant_id = ?1;

-- name: revoke_key
update api_keys set revoked_at = ?2 where id = ?1;

-- name: any_keys
select exists (select 1 from api_keys);
