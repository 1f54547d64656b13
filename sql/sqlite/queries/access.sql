-- Keys to the API.

-- name: add_key
insert into api_keys (tenant_id, name, hash, scope, created_at, expires_at, created_by, may_exec)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: key_of_hash
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by, may_exec,
  last_used_at, replaced_at
from api_keys
where hash = ?1;

-- name: is_key_name_taken
-- ?1 tenant, ?2 name
select exists (
  select 1 from api_keys
  where tenant_id = ?1 and name = ?2 and revoked_at is null and replaced_at is null);

-- name: find_key
-- ?1 hash, ?2 now
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  k.may_exec, k.last_used_at, k.replaced_at,
  t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from api_keys k cross join tenants t on t.id = k.tenant_id
where k.hash = ?1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > ?2);

-- name: list_keys
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by, may_exec,
  last_used_at, replaced_at
from api_keys
where tenant_id = ?1
order by id desc
limit 10000;

-- name: key_of_tenant
-- ?1 tenant, ?2 key
select id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by, may_exec,
  last_used_at, replaced_at
from api_keys
where id = ?2 and tenant_id = ?1;

-- name: revoke_key
update api_keys set revoked_at = ?2 where id = ?1;

-- name: replace_key
-- ?1 key, ?2 now, ?3 until when it stays valid
update api_keys set replaced_at = ?2, expires_at = ?3 where id = ?1;

-- name: touch_key
-- ?1 key, ?2 now
update api_keys set last_used_at = ?2 where id = ?1;

-- name: any_keys
select exists (select 1 from api_keys);
