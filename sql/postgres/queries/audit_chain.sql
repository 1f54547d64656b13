-- The chain over the audit.

-- name: last_link
select l.position, l.seq, l.previous, l.hash from audit_links l order by l.position desc limit 1

-- name: rows_to_link
-- $1 clock, $2 how many. A transaction may commit after others that took later numbers, so we wait a
-- little, and look back for those that came even later.
select a.seq, a.at, a.tenant_id, a.actor, a.action, a.object, a.detail::text
from audit a
where a.seq > coalesce((select max(l.seq) from audit_links l), 0) - 100000
  and a.at < coalesce($1::timestamptz, clock_timestamp()) - interval '10 seconds'
  and not exists (select from audit_links l where l.seq = a.seq)
order by a.seq
limit $2::bigint

-- name: add_links
-- $1 positions, $2 rows, $3 hashes before, $4 hashes
insert into audit_links (position, seq, previous, hash)
select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])

-- name: list_links
-- $1 after, $2 how many
select l.position, l.seq, l.previous, l.hash, a.seq, a.at, a.tenant_id, a.actor, a.action, a.object,
  a.detail::text
from audit_links l
left join audit a on a.seq = l.seq
where l.position > $1::bigint
order by l.position
limit $2::bigint

-- name: list_linked
-- $1 after, $2 how many
select a.seq, exists (select from audit_links l where l.seq = a.seq)
from audit a
where a.seq > $1::bigint
order by a.seq
limit $2::bigint

-- name: prune_links
-- From the beginning of the chain, up to the first row that is young, or gone without our doing.
with
oldest as materialized (
  select l.position, l.seq,
    coalesce(a.at < coalesce($1::timestamptz, clock_timestamp()) - interval '400 days', false) as over
  from (select position, seq from audit_links order by position limit 10000) as l
  left join audit a on a.seq = l.seq
),
ripe as materialized (
  select o.position, o.seq
  from oldest o
  where o.over
    and not exists (select from oldest y where not y.over and y.position < o.position)
),
rows as (
  delete from audit where seq = any (array(select seq from ripe))
),
gone as (
  delete from audit_links where position = any (array(select position from ripe)) returning 1
)
select count(*) from gone
