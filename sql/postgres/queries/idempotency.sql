-- Requests that may come twice.

-- name: take_requests
-- $1 clock, $2 tenants, $3 keys, $4 fingerprints, ordered by the first two, so that all reserve in
-- one order. Returns the places of those that are ours now. Waits for others that use the same key.
insert into idempotency as k (tenant_id, key, fingerprint, job_ids, at)
select i.tenant_id, i.key, i.fingerprint, '{}', c.now
from unnest($2::bigint[], $3::text[], $4::text[]) as i (tenant_id, key, fingerprint)
cross join (select coalesce($1::timestamptz, clock_timestamp()) as now) as c
on conflict (tenant_id, key) do update
set fingerprint = excluded.fingerprint, job_ids = '{}', at = excluded.at
where k.at < excluded.at - interval '1 day'
returning k.tenant_id, k.key

-- name: read_requests
-- $1 tenants, $2 keys; returns what they stand for, and the jobs, one a row
select i.n, k.fingerprint, r.*
from unnest($1::bigint[], $2::text[]) with ordinality as i (tenant_id, key, n)
cross join lateral (
  select k.fingerprint, k.job_ids
  from idempotency k
  where k.tenant_id = i.tenant_id and k.key = i.key
  limit 1
) as k
left join lateral unnest(k.job_ids) with ordinality as o (id, place) on true
left join lateral (select r.* from job_rows_4 r where r.id = o.id limit 1) as r on true
order by i.n, o.place

-- name: keep_requests
-- $1 tenants, $2 keys, $3 the jobs they led to, as arrays; empty: none, and the key is free again
with
ours as materialized (
  select k.ctid, i.job_ids
  from unnest($1::bigint[], $2::text[], $3::text[]) as i (tenant_id, key, job_ids)
  cross join lateral (
    select k.ctid
    from idempotency k
    where k.tenant_id = i.tenant_id and k.key = i.key
    limit 1
  ) as k
),
kept as (
  update idempotency k set job_ids = o.job_ids::bigint[]
  from ours o
  where k.ctid = o.ctid and o.job_ids <> ''
)
delete from idempotency k
using ours o
where k.ctid = o.ctid and o.job_ids = ''

-- name: prune_requests
-- a bounded batch; repeated until nothing is left
with
gone as (
  delete from idempotency
  where ctid = any (array(
    select ctid
    from idempotency
    where at < coalesce($1::timestamptz, clock_timestamp()) - interval '1 day'
    order by at
    limit 10000))
  returning 1
)
select count(*) from gone
