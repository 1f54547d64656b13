-- Who changed what.

-- name: note_audit
-- ?1 now, ?2 tenant, ?3 actor, ?4 action, ?5 object, ?6 detail
insert into audit (at, tenant_id, actor, action, object, detail) values (?1, ?2, ?3, ?4, ?5, ?6);

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
-- what is in no chain
delete from audit
where seq in (select seq from audit order by seq limit ?2) and at < ?1
  and not exists (select 1 from audit_links l where l.seq = audit.seq);
