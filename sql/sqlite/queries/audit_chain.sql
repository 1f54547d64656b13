-- The chain over the audit.

-- name: last_link
select position, seq, previous, hash from audit_links order by position desc limit 1;

-- name: rows_to_link
-- ?1 before when, ?2 how many. There is one writer, so numbers commit in their order.
select seq, at, tenant_id, actor, action, object, detail
from audit
where seq > coalesce((select max(seq) from audit_links), 0) and at < ?1
order by seq
limit ?2;

-- name: add_link
insert into audit_links (position, seq, previous, hash) values (?1, ?2, ?3, ?4);

-- name: list_links
-- ?1 after, ?2 how many
select l.position, l.seq, l.previous, l.hash, a.seq is not null, coalesce(a.seq, 0),
  coalesce(a.at, 0), coalesce(a.tenant_id, 0), coalesce(a.actor, ''), coalesce(a.action, ''),
  coalesce(a.object, ''), coalesce(a.detail, '')
from audit_links l left join audit a on a.seq = l.seq
where l.position > ?1
order by l.position
limit ?2;

-- name: list_linked
-- ?1 after, ?2 how many
select a.seq, exists (select 1 from audit_links l where l.seq = a.seq)
from audit a
where a.seq > ?1
order by a.seq
limit ?2;

-- name: ripe_links
-- ?1 older than, ?2 how many to look at: the first position that stays. That is a row that is young,
-- or gone without our doing.
select coalesce(
  (select min(o.position)
    from (select position, seq from audit_links order by position limit ?2) as o
      left join audit a on a.seq = o.seq
    where a.at is null or a.at >= ?1),
  (select max(o.position) + 1
    from (select position from audit_links order by position limit ?2) as o), 0);

-- name: prune_linked_audit
-- ?1 the first position that stays
delete from audit where seq in (select seq from audit_links where position < ?1);

-- name: prune_links
-- ?1 the first position that stays
delete from audit_links where position < ?1;
