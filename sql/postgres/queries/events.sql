-- What changed. Once a row's transaction lies below the oldest one that is still running, it is
-- over and nothing can be added before it.

-- name: events_after
-- $1 transaction, $2 number, $3 how many
select o.transaction::text::bigint, o.seq, o.at, o.tenant_id, o.kind, o.count, o.news
from outbox o
where (o.transaction, o.seq) > ($1::bigint::text::xid8, $2::bigint)
  and o.transaction < pg_snapshot_xmin(pg_current_snapshot())
order by o.transaction, o.seq
limit $3::bigint

-- name: last_event
-- the end of the newest transaction before which all have ended
select pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1

-- name: prune_events
-- a bounded batch; repeated until nothing is left
with
gone as (
  delete from outbox
  where (transaction, seq) in (
    select o.transaction, o.seq
    from (select * from outbox order by transaction, seq limit 10000) as o
    where o.at < coalesce($1::timestamptz, clock_timestamp()) - interval '1 hour')
  returning 1
)
select count(*) from gone
