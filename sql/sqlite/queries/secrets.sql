-- Secrets, sealed. ?1 tenant, ?2 name.

-- name: put_secret
-- ?3 sealed, ?4 actor, ?5 now
insert into secrets (tenant_id, name, sealed, created_at, updated_at, updated_by)
values (?1, ?2, ?3, ?5, ?5, ?4)
on conflict (tenant_id, name) do update
set sealed = excluded.sealed, updated_at = excluded.updated_at, updated_by = excluded.updated_by;

-- name: find_secret
select tenant_id, name, sealed, created_at, updated_at, updated_by from secrets
where tenant_id = ?1 and name = ?2;

-- name: list_secrets
-- those after, ?3 how many
select tenant_id, name, sealed, created_at, updated_at, updated_by from secrets
where (tenant_id, name) > (?1, ?2)
order by tenant_id, name
limit ?3;

-- name: secret_users
-- ?2 what a target says that names it. Some of the jobs that do.
select j.name
from jobs j
  join job_revisions v on v.job_id = j.id and v.revision = j.revision
where j.tenant_id = ?1 and j.status <> :deleted and instr(v.target, ?2) > 0
limit 5;

-- name: delete_secret
delete from secrets where tenant_id = ?1 and name = ?2;

-- name: reseal_secret
-- ?3 sealed before, ?4 after
update secrets set sealed = ?4 where tenant_id = ?1 and name = ?2 and sealed = ?3;

-- name: list_targets
-- ?1 job and ?2 revision of the last one seen, ?3 how many. Only webhooks have secrets.
select v.job_id, v.revision, coalesce((select j.tenant_id from jobs j where j.id = v.job_id), 0),
  iif(instr(v.target, '"HTTP"') > 0, v.target, '')
from job_revisions v
where (v.job_id, v.revision) > (?1, ?2)
order by v.job_id, v.revision
limit ?3;

-- name: reseal_target
-- ?1 job, ?2 revision, ?3 target
update job_revisions set target = ?3 where job_id = ?1 and revision = ?2;

-- name: note_seal_key
-- ?1 id, ?2 now
insert into seal_keys (id, noted_at) values (?1, ?2) on conflict (id) do nothing;

-- name: seal_keys
select id from seal_keys order by noted_at, id;

-- name: keep_only_seal_key
-- ?1 id
delete from seal_keys where id <> ?1;
