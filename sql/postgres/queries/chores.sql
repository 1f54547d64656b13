-- Regions, and what the leader cleans up.

-- name: put_region
-- $1 clock, $2 name. No row: somebody else made it at this moment, or there are 256 already.
with
old as materialized (select no from regions where name = $2::text),
made as (
  insert into regions (no, name)
  select (select coalesce(max(no), -1) + 1 from regions), $2
  where not exists (select from old) and (select count(*) from regions) < 256
  on conflict do nothing
  returning no
),
slices as (
  insert into partitions (id, decided_through)
  select m.no * 256 + s, coalesce($1::timestamptz, clock_timestamp())
  from made m cross join generate_series(0, 255) as s
)
select no from old
union all
select no from made

-- name: list_regions
select r.no, r.name from regions r order by r.no

-- name: make_history
select make_history_days(coalesce($1::timestamptz, clock_timestamp()), 7)

-- name: drop_history
-- $1 clock, $2 retention
select drop_history_days(
  coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond')

-- name: prune_changes
-- a bounded batch; repeated until nothing is left
with
gone as (
  delete from job_changes
  where ctid = any (array(
    select ctid
    from job_changes
    where changed_at < coalesce($1::timestamptz, clock_timestamp()) - interval '1 hour'
    limit 10000))
  returning 1
)
select count(*) from gone

-- name: sweep_skips
-- $1 clock, $2 retention, $3 partition, $4 job and $5 first tick of the last one looked at, $6 how many
with
seen as materialized (
  select s.ctid as place, s.partition, s.job_id, s.first_tick, s.last_tick
  from skips s
  where (s.partition, s.job_id, s.first_tick) > ($3::integer, $4::bigint, $5::timestamptz)
  order by s.partition, s.job_id, s.first_tick
  limit $6::bigint
),
oldest as materialized (
  select coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond' as at
),
gone as (
  delete from skips s
  where s.ctid = any (array(select place from seen where last_tick < (select at from oldest)))
    and s.last_tick < (select at from oldest)  -- checked again: it may have grown just now
)
select job_id, first_tick from seen order by partition desc, job_id desc, first_tick desc limit 1

-- name: prune_nodes
delete from nodes
where lease_until < coalesce($1::timestamptz, clock_timestamp()) - interval '1 hour'

-- name: end_pauses
-- $1 clock, $2 how many
with
over as materialized (
  select j.id
  from jobs j
  where j.status = :paused and j.paused_until <= coalesce($1::timestamptz, clock_timestamp())
    and j.paused_until <= (select p.decided_through from partitions p where p.id = j.partition)
  limit $2::bigint
  for update skip locked
),
ended as (
  update jobs j
  set status = :active, paused_until = null, paused_by = '', pause_note = ''
  from over o
  where j.id between o.id and o.id
  returning 1
)
select count(*) from ended
