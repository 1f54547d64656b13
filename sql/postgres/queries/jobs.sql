-- The definitions.

-- name: find_job
select * from job_rows where id = $1::bigint

-- name: find_job_by_name
select * from job_rows where tenant_id = $1::bigint and name = $2::text and status <> 4

-- name: match_jobs
-- $1 tenants, $2 names, $3 labels: the jobs of these names, each with its place in the list and
-- whether it has these labels, which come back written in another way
select i.n, r.labels::jsonb = i.labels::jsonb, r.*
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as i (tenant_id, name, labels, n)
cross join lateral (
  select r.*
  from job_rows r
  where r.tenant_id = i.tenant_id and r.name = i.name and r.status <> 4
  limit 1
) as r

-- name: job_to_change
-- $1 job, $2 the new labels, or null
select coalesce(r.labels::jsonb = $2::text::jsonb, true), r.* from job_rows r where r.id = $1::bigint

-- name: load_partition
-- one statement, so that jobs, cursor and version are of one snapshot; the columns of job_rows, but
-- for those that an owner has no use for
select p.decided_through, p.jobs_version,
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from partitions p
left join jobs j on j.partition = p.id and j.status <> 4 and j.status in (0, 1)
where p.id = $1::integer

-- name: load_changes
-- $1 partitions, $2 the versions known of them. Partitions of which changes since then are no longer
-- known have no row: each version has at least one change until it is pruned.
select a.place, p.decided_through, p.jobs_version,
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description, '' as paused_by, '' as pause_note,
  j.calendar_rules, j.calendar_revision
from unnest($1::integer[], $2::bigint[]) with ordinality as a (partition, known, place)
cross join lateral (
  select p.decided_through, p.jobs_version from partitions p where p.id = a.partition limit 1
) as p
cross join lateral (
  select count(distinct c.version) as versions, array_agg(c.job_id) as jobs
  from job_changes c
  where c.partition = a.partition and c.version > a.known
) as c
left join lateral (select * from jobs j where j.id = any (c.jobs)) as j on true
where c.versions = p.jobs_version - a.known

-- name: uncount_job
-- $1 job, whose partition is locked, $2 tenant. It may have been counted on another row.
insert into tenant_jobs as n (tenant_id, partition, jobs)
values ($2::bigint, ($1::bigint & 65535)::integer, -1)
on conflict (tenant_id, partition) do update set jobs = n.jobs - 1

-- name: complete_jobs
-- $1 clock, $2 node, $3 partitions, $4 epochs, $5 versions, $6 jobs. The lock keeps changes of the
-- jobs out. A pause that is over counts as none.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
-- Epochs below it were given out before the server was promoted (ownership.sql).
term as materialized (
  select (('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint - 1) << 40 as base
),
judged as materialized (
  select g.id,
    case
      when g.is_epoch <> g.epoch or g.owner is distinct from $2::uuid then 1
      when g.epoch < (select base from term) then 1
      when g.is_version <> g.version then 2
      else 0
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
  update jobs j set status = 3, paused_until = null, paused_by = '', pause_note = '',
    updated_at = (select now from clock)
  where j.id = any ($6::bigint[])
    and j.partition = any (array(select id from judged where verdict = 0))
    and (j.status + 0 = 0 or (j.status + 0 = 1 and j.paused_until <= (select now from clock)))
  returning j.tenant_id, j.id, j.revision
),
announced as (
  insert into outbox (at, tenant_id, kind, count, news)
  select (select now from clock), t.tenant_id, 0, t.count, n.news
  from (
    select d.tenant_id, count(*) as count, (array_agg(d.id))[1:20] as jobs,
      (array_agg(d.revision))[1:20] as revisions
    from done d
    group by d.tenant_id
  ) as t
  cross join lateral (
    select string_agg(u.job || ':' || u.revision || ':3', ' ') as news
    from unnest(t.jobs, t.revisions) as u (job, revision)
  ) as n
)
select id, verdict from judged

-- name: end_line
-- $1 now, $2 job. One that is being claimed at this moment is not in line any more.
with
gone as (
  delete from runs r
  where r.partition = ($2::bigint & 65535)::integer and r.job_id = $2
    and r.state + 0 = 0 and r.due_at > r.scheduled_for  -- by its key, not by an index of waiting runs
  returning r.*
),
ended as (
  insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
    scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch,
    node, result, error, payload)
  select g.partition, g.job_id, g.run_key, g.tenant_id, g.job_type, g.revision, g.origin, 6,
    g.scheduled_for, g.decided_at, g.started_at, $1::timestamptz, g.stands_for, g.attempt, g.fence,
    g.worker, g.epoch, g.node, null, 'the job was stopped while the run waited in line',
    g.payload
  from gone g
)
insert into outbox (at, tenant_id, kind, count, news)
select $1, t.tenant_id, 1, t.count, n.news
from (
  select g.tenant_id, count(*) as count, (array_agg(g.run_key))[1:20] as keys
  from gone g
  group by g.tenant_id
) as t
cross join lateral (
  select string_agg($2 || ':' || u.key || ':6', ' ') as news from unnest(t.keys) as u (key)
) as n
