-- Work on many jobs or runs: how far it has come, and who does it.

-- name: begin_bulk
-- $1 clock, $2 tenant, $3 object, $4 action, $5 selector, $6 arguments, $7 note, $8 actor, $9 request,
-- $10 key, $11 address, $12 request key, $13 total, $14 whether exact. No row: there is one of
-- this request key already.
insert into bulk_work as b (tenant_id, object, action, selector, arguments, note, actor, request_id,
  key_id, address, request_key, total, exact, created_at)
values ($2::bigint, $3::text, $4::text, $5::text::json, $6::text::json, $7::text, $8::text, $9::text,
  $10::text, $11::text, $12::text, $13::bigint, $14::boolean, coalesce($1::timestamptz, clock_timestamp()))
on conflict (tenant_id, request_key) where request_key is not null do nothing
returning
  -- include: bulk_row

-- name: repeated_bulk
-- $1 tenant, $2 request key
select
  -- include: bulk_row
from bulk_work b
where b.tenant_id = $1::bigint and b.request_key = $2::text

-- name: find_bulk
-- $1 tenant, $2 id
select
  -- include: bulk_row
from bulk_work b
where b.tenant_id = $1::bigint and b.id = $2::bigint

-- name: list_bulk
-- $1 tenant, $2 before, $3 how many
select
  -- include: bulk_row
from bulk_work b
where b.tenant_id = $1::bigint and b.id < $2::bigint
order by b.id desc
limit $3::bigint

-- name: stop_bulk
-- $1 clock, $2 tenant, $3 id
update bulk_work b
set state = :bulk_stopped, owner = null, finished_at = coalesce($1::timestamptz, clock_timestamp())
where b.tenant_id = $2::bigint and b.id = $3::bigint and b.state + 0 = :bulk_running
returning b.id

-- name: take_bulk
-- $1 clock, $2 node, $3 lease
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
free as materialized (
  select b.id
  from bulk_work b
  where b.state = :bulk_running
    and (b.owner is null or b.owner = $2::uuid or b.lease_until <= (select now from clock))
  order by b.lease_until nulls first, b.id
  limit 1
  for update skip locked
)
update bulk_work b
set owner = $2, lease_until = (select now from clock) + $3::bigint * interval '1 microsecond'
from free f
where b.id = f.id
returning
  -- include: bulk_row

-- name: hold_bulk
-- $1 id, $2 node, $3 where it was. Locked until the batch is written.
select b.id
from bulk_work b
where b.id = $1::bigint and b.owner = $2::uuid and b.cursor = $3::text and b.state + 0 = :bulk_running
for update

-- name: advance_bulk
-- $1 clock, $2 id, $3 node, $4 where it was, $5 where it is now, $6 whether it is over, $7 done,
-- $8 skipped, $9 failed, $10 error, $11 lease
update bulk_work b
set cursor = $5::text, state = case when $6::boolean then :bulk_done else b.state end,
  done = b.done + $7::bigint, skipped = b.skipped + $8::bigint, failed = b.failed + $9::bigint,
  error = case when b.error = '' then $10::text else b.error end,
  lease_until = coalesce($1::timestamptz, clock_timestamp()) + $11::bigint * interval '1 microsecond',
  finished_at = case when $6 then coalesce($1, clock_timestamp()) end
where b.id = $2::bigint and b.owner = $3::uuid and b.cursor = $4::text and b.state + 0 = :bulk_running
returning
  -- include: bulk_row

-- name: prune_bulk
-- a bounded batch; repeated until nothing is left
with
gone as (
  delete from bulk_work
  where id = any (array(
    select b.id
    from (select id, finished_at from bulk_work order by id limit 1000) as b
    where b.finished_at < coalesce($1::timestamptz, clock_timestamp()) - interval '30 days'))
  returning 1
)
select count(*) from gone
