-- Registering: requests that may come twice, who did what, what changed.

-- name: savepoint
savepoint request;

-- name: release_savepoint
release request;

-- name: rollback_to_savepoint
rollback to request;

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

-- name: drop_requests
delete from idempotency
where rowid in (
  select rowid from idempotency indexed by idempotency_age where at < ?1 order by at limit ?2);

-- name: audit_job
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?3, ?4, ?5,
  json_object('request_id', ?6, 'job_name', ?7, 'revision_before', ?8, 'revision_after', ?9,
    'changed', json(?10), 'note', ?11));

-- name: audit_run
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?3, ?4, ?5, json_object('request_id', ?6));

-- name: drop_audit
delete from audit
where seq in (select seq from audit order by seq limit ?2) and at < ?1;

-- name: add_event
insert into outbox (at, tenant_id, kind, count, news) values (?1, ?2, ?3, ?4, ?5);

-- name: events_after
select seq, at, tenant_id, kind, count, news from outbox where seq > ?1 order by seq limit ?2;

-- Also when all are dropped: numbers are never used again.
-- name: last_event
select coalesce((select seq from sqlite_sequence where name = 'outbox'), 0);

-- name: drop_events
delete from outbox
where seq in (select seq from outbox order by seq limit ?2) and at < ?1;
