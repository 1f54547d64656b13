-- Definitions without a tick left.

-- name: complete_jobs
-- $1 clock, $2 node, $3 partitions, $4 epochs, $5 versions, $6 jobs. The lock keeps the jobs from
-- changing. A pause that is over does not count.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
-- Epochs below it were given out before the server was promoted (ownership.sql).
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),
judged as materialized (
  select g.id,
    case
      when g.is_epoch <> g.epoch or g.owner is distinct from $2::uuid then :deposed
      when g.epoch < (select base from term) then :deposed
      when g.is_version <> g.version then :outdated
      else :decided
    end as verdict
  from (
    select i.id, i.epoch, i.version, p.owner, p.is_epoch, p.is_version
    from (
      select *
      from unnest($3::integer[], $4::bigint[], $5::bigint[]) as i (id, epoch, version)
      order by i.id
    ) as i
    cross join lateral (
      select p.owner, p.epoch as is_epoch, p.jobs_version as is_version
      from partitions p
      where p.id = i.id
      for share
    ) as p
  ) as g
),
done as (
  update jobs j set status = :completed, paused_until = null, paused_by = '', pause_note = '',
    updated_at = (select now from clock)
  where j.id = any ($6::bigint[])
    and j.partition = any (array(select id from judged where verdict = :decided))
    and (j.status + 0 = :active or (j.status + 0 = :paused and j.paused_until <= (select now from clock)))
  returning j.tenant_id, j.id, j.revision
),
changed as (
  select d.tenant_id, d.id, d.revision as number, :completed as state from done d
),
announced as (
  -- include: outbox, kind = :of_jobs
)
select id, verdict from judged
