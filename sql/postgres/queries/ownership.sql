-- Who owns which partition. $1 is always the clock's override; null means the database clock.
--
-- The server's timeline grows when a standby is promoted, which may have lost the last commits.
-- Epochs carry it above their lower 40 bits; those of an older timeline own nothing any more, here
-- and in decide: their owners may know jobs, versions and cursors that never existed.

-- name: clock
select coalesce($1::timestamptz, clock_timestamp())

-- name: renew
-- $2 incarnation, $3 name, $4 region, $5 ttl. Rows: 0 the clock, the orphans, the era (epoch) and
-- whether there are several regions (version), 1 a live node and how many it owns (at: until when), 2 a
-- partition of the caller, 3 the caller's lease of before.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
me as (
  insert into nodes (incarnation, name, region, started_at, lease_until)
  select $2::uuid, $3::text, $4::smallint, now, now + $5::bigint * interval '1 microsecond'
  from clock
  on conflict (incarnation) do update
    set name = excluded.name, region = excluded.region, lease_until = excluded.lease_until
),
live as materialized (
  select $2 as incarnation, $3 as name,
    (select now from clock) + $5 * interval '1 microsecond' as lease_until
  union all
  select n.incarnation, n.name, n.lease_until
  from nodes n
  where n.region = $4 and n.lease_until > (select now from clock) and n.incarnation <> $2
),
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),
slices as materialized (
  select p.id, case when p.epoch >= (select base from term) then p.owner end as owner, p.epoch,
    p.decided_through, p.jobs_version
  from partitions p
  where p.id between $4::integer * 256 and $4::integer * 256 + 255
)
select 0 as kind, null::uuid as node, '' as name, (select now from clock) as at,
  (select count(*) from slices
   where owner is null or owner not in (select incarnation from live)) as number,
  (select base >> 40 from term) as epoch, (select exists (select from regions r where r.no > 0))::integer::bigint as version
union all
select 1, l.incarnation, l.name, l.lease_until,
  (select count(*) from slices s where s.owner = l.incarnation), 0, 0
from live l
union all
select 2, s.owner, '', s.decided_through, s.id, s.epoch, s.jobs_version
from slices s
where s.owner = $2
union all
select 3, n.incarnation, '', n.lease_until, 0, 0, 0
from nodes n
where n.incarnation = $2
order by kind, node, number

-- name: acquire
-- $2 incarnation, $3 region, $4 how many
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
live as materialized (
  select incarnation from nodes where lease_until > (select now from clock)
),
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),
orphans as materialized (
  select p.id,
    exists (select from nodes n where n.incarnation = p.owner) as failover  -- a node that retired has no row
  from partitions p
  where p.id between $3::integer * 256 and $3::integer * 256 + 255
    and (p.owner is null or p.owner not in (select incarnation from live)
      or p.epoch < (select base from term))
    and $2::uuid in (select incarnation from live)
  order by p.id
  limit $4::bigint
  for update of p skip locked
),
taken as (
  update partitions p
  set owner = $2, epoch = greatest(p.epoch + 1, (select base from term))
  from orphans o
  where p.id = o.id
  returning p.id, p.epoch, p.decided_through, p.jobs_version, o.failover
)
select id, epoch, decided_through, jobs_version, failover from taken order by id

-- name: holders
-- $2 region. Rows: 0 the clock, 1 a node and until when its lease is or was, 2 a partition.
with
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
)
select 0 as kind, null::uuid as node, '' as name, coalesce($1::timestamptz, clock_timestamp()) as at,
  0::bigint as number, 0::bigint as epoch
union all
select 1, n.incarnation, n.name, n.lease_until, 0, 0
from nodes n
where n.region = $2::smallint
union all
select 2, case when p.epoch >= (select base from term) then p.owner end, '', p.decided_through,
  p.id, p.epoch
from partitions p
where p.id between $2::integer * 256 and $2::integer * 256 + 255
order by kind, number, node

-- name: take
-- $2 incarnation, $3 partitions, $4 their epochs
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),
wanted as materialized (
  select p.id,
    exists (select from nodes n
      where n.incarnation = p.owner and n.lease_until <= (select now from clock)) as failover
  from unnest($3::integer[], $4::bigint[]) as h (id, epoch)
  join partitions p on p.id = h.id and p.epoch = h.epoch
  where p.id = any ($3) and exists (select from nodes n
    where n.incarnation = $2::uuid and n.lease_until > (select now from clock))
  order by p.id
  for update of p
),
taken as (
  update partitions p
  set owner = $2, epoch = greatest(p.epoch + 1, (select base from term))
  from wanted w
  where p.id = w.id
  returning p.id, p.epoch, p.decided_through, p.jobs_version, w.failover
)
select id, epoch, decided_through, jobs_version, failover from taken order by id

-- name: release
-- $1 incarnation, $2 partitions, $3 their epochs
with
held as materialized (
  select p.id
  from unnest($2::integer[], $3::bigint[]) as h (id, epoch)
  join partitions p on p.id = h.id and p.epoch = h.epoch and p.owner = $1::uuid
  order by p.id
  for update of p
)
update partitions p set owner = null from held h where p.id = h.id

-- name: retire
delete from nodes where incarnation = $1::uuid

-- name: leave
-- $2 incarnation
with
held as materialized (
  select p.id from partitions p where p.owner = $2::uuid order by p.id for update
),
freed as (
  update partitions p set owner = null from held h where p.id = h.id
),
led as (
  update leases l
  set lease_until = least(l.lease_until, coalesce($1::timestamptz, clock_timestamp()))
  where l.holder = $2
)
delete from nodes where incarnation = $2

-- name: lead
-- $2 incarnation, $3 ttl. No row: somebody else leads.
insert into leases as l (name, holder, term, lease_until)
select 'leader', $2::uuid, 1, c.now + $3::bigint * interval '1 microsecond'
from (select coalesce($1::timestamptz, clock_timestamp()) as now) as c
on conflict (name) do update
set holder = excluded.holder,
  term = l.term + case
    when l.holder = excluded.holder
      and l.lease_until > excluded.lease_until - $3::bigint * interval '1 microsecond' then 0
    else 1 end,
  lease_until = excluded.lease_until
where l.holder = excluded.holder
  or l.lease_until <= excluded.lease_until - $3::bigint * interval '1 microsecond'
returning l.term
