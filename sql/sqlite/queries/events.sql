-- What changed.

-- name: add_event
insert into outbox (at, tenant_id, kind, count, news) values (?1, ?2, ?3, ?4, ?5);

-- name: events_after
select seq, at, tenant_id, kind, count, news from outbox where seq > ?1 order by seq limit ?2;

-- name: last_event
-- Also when all events are dropped: numbers are never used again.
select coalesce((select seq from sqlite_sequence where name = 'outbox'), 0);

-- name: prune_events
delete from outbox
where seq in (select seq from outbox order by seq limit ?2) and at < ?1;
