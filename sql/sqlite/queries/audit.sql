-- Who changed what.

-- name: note_audit
-- ?1 now, ?2 tenant, ?3 action, ?4 object, ?5 request, ?6 actor; the detail follows by add_detail
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?6, ?3, ?4, iif(?5 = '', '{}', json_object('request_id', ?5)));

-- name: add_detail
-- One more member of the newest row's detail.
update audit set detail = json_set(detail, '$.' || ?1, ?2)
where seq = (select max(seq) from audit);

-- name: audit_job
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?3, ?4, ?5,
  json_object('request_id', ?6, 'job_name', ?7, 'revision_before', ?8, 'revision_after', ?9,
    'changed', json(?10), 'note', ?11));

-- name: audit_run
insert into audit (at, tenant_id, actor, action, object, detail)
values (?1, ?2, ?3, ?4, ?5, iif(?7 = '', json_object('request_id', ?6),
  json_object('request_id', ?6, 'note', ?7)));

-- name: list_audit
-- ?1 tenant, ?2 before, ?3 how many
select seq, at, tenant_id, actor, action, object, detail
from audit
where tenant_id = ?1 and seq < ?2
order by seq desc
limit ?3;

-- name: list_all_audit
-- ?1 before, ?2 how many
select seq, at, tenant_id, actor, action, object, detail
from audit
where seq < ?1
order by seq desc
limit ?2;

-- name: prune_audit
delete from audit
where seq in (select seq from audit order by seq limit ?2) and at < ?1;
