-- Secrets, sealed.

-- name: put_secret
-- $1 clock, $2 tenant, $3 name, $4 sealed, $5 actor
insert into secrets as s (tenant_id, name, sealed, created_at, updated_at, updated_by)
select $2::bigint, $3::text, $4::text, n.at, n.at, $5::text
from (select coalesce($1::timestamptz, clock_timestamp()) as at) as n
on conflict (tenant_id, name) do update
set sealed = excluded.sealed, updated_at = excluded.updated_at, updated_by = excluded.updated_by
returning s.tenant_id, s.name, s.sealed, s.created_at, s.updated_at, s.updated_by

-- name: find_secret
select s.tenant_id, s.name, s.sealed, s.created_at, s.updated_at, s.updated_by
from secrets s
where s.tenant_id = $1::bigint and s.name = $2::text

-- name: list_secrets
-- $1 tenant and $2 name of the last one seen, $3 how many
select s.tenant_id, s.name, s.sealed, s.created_at, s.updated_at, s.updated_by
from secrets s
where (s.tenant_id, s.name) > ($1::bigint, $2::text collate "C")
order by s.tenant_id, s.name
limit $3::bigint

-- name: secret_users
-- $1 tenant, $2 what a target says that names it. Some of the jobs that do.
select j.name
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.tenant_id = $1::bigint and j.status <> :deleted and position($2::text in v.target::text) > 0
limit 5

-- name: delete_secret
delete from secrets s where s.tenant_id = $1::bigint and s.name = $2::text returning s.name

-- name: reseal_secret
-- $1 tenant, $2 name, $3 sealed before, $4 after
update secrets s set sealed = $4::text
where s.tenant_id = $1::bigint and s.name = $2::text and s.sealed = $3::text

-- name: list_targets
-- $1 job and $2 revision of the last one seen, $3 how many. Only webhooks have secrets.
select v.job_id, v.revision, (select j.tenant_id from jobs j where j.id = v.job_id),
  case when position('"HTTP"' in v.target::text) > 0 then v.target::text else '' end
from job_revisions v
where (v.job_id, v.revision) > ($1::bigint, $2::integer)
order by v.job_id, v.revision
limit $3::bigint

-- name: reseal_target
-- $1 job, $2 revision, $3 target
update job_revisions v set target = $3::text::json
where v.job_id = $1::bigint and v.revision = $2::integer

-- name: note_seal_key
-- $1 clock, $2 id
insert into seal_keys (id, noted_at)
values ($2::text, coalesce($1::timestamptz, clock_timestamp()))
on conflict (id) do nothing

-- name: seal_keys
select k.id from seal_keys k order by k.noted_at, k.id

-- name: keep_only_seal_key
delete from seal_keys k where k.id <> $1::text
