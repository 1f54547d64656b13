-- Keys to the API.

-- name: lock_keys
-- Whoever asks for the first key waits for others who do.
lock table api_keys in share row exclusive mode

-- name: add_key
-- $1 clock, $2 tenant, $3 name, $4 hash, $5 scope, $6 expires_at, $7 actor, $8 may_exec. No row: the
-- hash exists, or the name is taken.
insert into api_keys (tenant_id, name, hash, scope, created_at, expires_at, created_by, may_exec)
values ($2::bigint, $3::text, $4::bytea, $5::smallint, coalesce($1::timestamptz, clock_timestamp()),
  $6::timestamptz, $7::text, $8::boolean)
on conflict do nothing
returning id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by, may_exec,
  last_used_at, replaced_at

-- name: key_of_hash
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  k.may_exec, k.last_used_at, k.replaced_at
from api_keys k
where k.hash = $1::bytea

-- name: find_key
-- $1 clock, $2 hash
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  k.may_exec, k.last_used_at, k.replaced_at,
  t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from api_keys k join tenants t on t.id = k.tenant_id
where k.hash = $2::bytea and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > coalesce($1::timestamptz, clock_timestamp()))

-- name: list_keys
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  k.may_exec, k.last_used_at, k.replaced_at
from api_keys k
where k.tenant_id = $1::bigint
order by k.id desc
limit 10000

-- name: revoke_key
-- $1 clock, $2 tenant, $3 key; the last column: whether this call revoked it
with
old as materialized (
  select k.id, k.revoked_at from api_keys k
  where k.id = $3::bigint and k.tenant_id = $2::bigint
  for update
)
update api_keys k
set revoked_at = coalesce(old.revoked_at, $1::timestamptz, clock_timestamp())
from old
where k.id = old.id
returning k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at,
  k.created_by, k.may_exec, k.last_used_at, k.replaced_at, old.revoked_at is null

-- name: replace_key
-- $1 clock, $2 tenant, $3 key, $4 how long it stays valid, in microseconds. No row: there is none
-- that could be replaced. The last column: until when the new one is valid.
with
old as materialized (
  select k.id, k.expires_at, coalesce($1::timestamptz, clock_timestamp()) as now
  from api_keys k
  where k.id = $3::bigint and k.tenant_id = $2::bigint and k.revoked_at is null and k.replaced_at is null
    and (k.expires_at is null or k.expires_at > coalesce($1::timestamptz, clock_timestamp()))
  for update
)
update api_keys k
set replaced_at = old.now, expires_at = least(old.expires_at, old.now + $4::bigint * interval '1 microsecond')
from old
where k.id = old.id
returning k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at,
  k.created_by, k.may_exec, k.last_used_at, k.replaced_at, old.expires_at

-- name: touch_key
-- $1 clock, $2 key
update api_keys set last_used_at = greatest(last_used_at, coalesce($1::timestamptz, clock_timestamp()))
where id = $2::bigint

-- name: any_keys
select exists (select from api_keys)
