-- Requests that may come twice.

-- name: fingerprint_of_request
select fingerprint from idempotency where tenant_id = ?1 and key = ?2 and at >= ?3;

-- name: jobs_of_request
select e.value
from idempotency i, json_each(i.job_ids) e
where i.tenant_id = ?1 and i.key = ?2
order by e.key;

-- name: keep_request
insert or replace into idempotency (tenant_id, key, fingerprint, job_ids, at)
values (?1, ?2, ?3, ?4, ?5);

-- name: prune_requests
delete from idempotency
where rowid in (
  select rowid from idempotency indexed by idempotency_age where at < ?1 order by at limit ?2);
