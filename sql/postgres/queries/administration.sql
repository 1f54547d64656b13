-- Tenants, keys, calendars, and who changed them. An audit row is written by the transaction of its
-- change: $1 clock, and at the end of each list actor and request. Nobody's change leaves none.

-- name: note_audit
-- $1 clock, $2 tenant, $3 action, $4 object, $5 names and $6 values of the detail, $7 actor, $8 request
insert into audit (at, tenant_id, actor, action, object, detail)
select coalesce($1::timestamptz, clock_timestamp()), $2::bigint, $7::text, $3::text, $4::text,
  jsonb_object($5::text[], $6::text[]) ||
    case when $8::text = '' then '{}'::jsonb else jsonb_build_object('request_id', $8) end
where $7 <> ''

-- name: list_audit
-- $1 tenant, $2 before, $3 how many
select a.seq, a.at, a.tenant_id, a.actor, a.action, a.object, a.detail::text
from audit a
where a.tenant_id = $1::bigint and a.seq < $2::bigint
order by a.seq desc
limit $3::bigint

-- name: list_all_audit
-- $1 before, $2 how many
select a.seq, a.at, a.tenant_id, a.actor, a.action, a.object, a.detail::text
from audit a
where a.seq < $1::bigint
order by a.seq desc
limit $2::bigint

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

-- name: add_key
-- $1 clock, $2 tenant, $3 name, $4 hash, $5 scope, $6 expires_at, $7 actor. No row: the hash is there.
insert into api_keys (tenant_id, name, hash, scope, created_at, expires_at, created_by)
values ($2::bigint, $3::text, $4::bytea, $5::smallint, coalesce($1::timestamptz, clock_timestamp()),
  $6::timestamptz, $7::text)
on conflict (hash) do nothing
returning id, tenant_id, name, scope, created_at, expires_at, revoked_at, created_by

-- name: key_of_hash
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by
from api_keys k
where k.hash = $1::bytea

-- name: find_key
-- $1 clock, $2 hash
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by,
  t.id, t.name, t.weight, t.max_in_flight, t.max_jobs, t.max_requests, t.created_at
from api_keys k join tenants t on t.id = k.tenant_id
where k.hash = $2::bytea and k.revoked_at is null
  and (k.expires_at is null or k.expires_at > coalesce($1::timestamptz, clock_timestamp()))

-- name: list_keys
select k.id, k.tenant_id, k.name, k.scope, k.created_at, k.expires_at, k.revoked_at, k.created_by
from api_keys k
where k.tenant_id = $1::bigint
order by k.id desc
limit 10000

-- name: revoke_key
-- $1 clock, $2 tenant, $3 key; the last column: whether it was this call that did it
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
  k.created_by, old.revoked_at is null

-- name: any_keys
select exists (select from api_keys)
