-- Who changed what. An audit row is written by the transaction of its change: $1 clock, and at the
-- end of each list actor and origin (store/common/audit_chain.h). A change without an actor leaves no row.

-- name: note_audit
-- $1 clock, $2 tenant, $3 action, $4 object, $5 detail, with the origin, $6 actor
insert into audit (at, tenant_id, actor, action, object, detail)
select coalesce($1::timestamptz, clock_timestamp()), $2::bigint, $6::text, $3::text, $4::text,
  $5::text::jsonb
where $6 <> ''

-- name: list_audit
-- $1 tenant, $2 before, $3 how many
select a.seq, a.at, a.tenant_id, a.actor, a.action, a.object, a.detail::text
from audit a
where a.tenant_id = $1::bigint and a.seq < $2::bigint
order by a.seq desc
limit $3::bigint

-- name: list_all_audit
-- $1 before, $2 how many
select a.seq, a.at, a.tenant_id, a.actor, a.action, a.object, a.detail::text
from audit a
where a.seq < $1::bigint
order by a.seq desc
limit $2::bigint

-- name: prune_audit
-- what is in no chain; a bounded batch, repeated until nothing is left
with
gone as (
  delete from audit
  where seq = any (array(
    select a.seq
    from (select seq, at from audit order by seq limit 10000) as a
    where a.at < coalesce($1::timestamptz, clock_timestamp()) - interval '400 days'
      and not exists (select from audit_links l where l.seq = a.seq)))
  returning 1
)
select count(*) from gone
