-- The definitions.

-- name: find_job
select * from job_rows where id = $1::bigint

-- name: find_job_by_name
select * from job_rows where tenant_id = $1::bigint and name = $2::text and status <> 4

-- name: load_partition
-- one statement, so that jobs, cursor and version are of one snapshot; the columns of job_rows, but
-- for those that an owner has no use for
select p.decided_through, p.jobs_version,
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description
from partitions p
left join jobs j on j.partition = p.id and j.status <> 4 and j.status in (0, 1)
where p.id = $1::integer

-- name: load_changes
-- $1 partition, $2 since. The third column: how many versions since then are still known.
with
changes as materialized (
  select c.version, c.job_id
  from job_changes c
  where c.partition = $1::integer and c.version > $2::bigint
)
select p.decided_through, p.jobs_version, (select count(distinct version) from changes),
  j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until, j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  '' as target, '' as payload, '' as labels, '' as description
from partitions p
left join jobs j on j.id = any (array(select job_id from changes))
where p.id = $1

-- name: full_tenants
-- $1 tenants, $2 how many jobs each is to get. A row for each that would have too many.
select t.id, coalesce(n.jobs, 0), a.added, t.max_jobs
from unnest($1::bigint[], $2::bigint[]) as a (tenant_id, added)
join tenants t on t.id = a.tenant_id and t.max_jobs > 0
cross join lateral (
  select sum(c.jobs)::bigint as jobs from tenant_jobs c where c.tenant_id = a.tenant_id
) as n
where coalesce(n.jobs, 0) + a.added > t.max_jobs

-- name: uncount_job
-- $1 job, whose partition is locked, $2 tenant
update tenant_jobs set jobs = jobs - 1
where tenant_id = $2::bigint and partition = ($1::bigint & 65535)::integer

-- name: complete_jobs
-- $1 clock, $2 node, $3 partitions, $4 epochs, $5 versions, $6 jobs. The lock keeps changes of the
-- jobs out. A pause that is over counts as none.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
judged as materialized (
  select g.id,
    case
      when g.is_epoch <> g.epoch or g.owner is distinct from $2::uuid then 1
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
  update jobs j set status = 3, paused_until = null, updated_at = (select now from clock)
  where j.id = any ($6::bigint[])
    and j.partition = any (array(select id from judged where verdict = 0))
    and (j.status = 0 or (j.status = 1 and j.paused_until <= (select now from clock)))
)
select id, verdict from judged

-- name: take_serials
select nextval('job_serials') from generate_series(1, $1::bigint)

-- name: insert_jobs
-- $1 clock, $2 ids, $3 tenants, then the definition's columns. A name that is taken yields no row.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
input as materialized (
  select *
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[],
      $6::smallint[], $7::text[], $8::smallint[], $9::text[], $10::smallint[], $11::smallint[],
      $12::bigint[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[], $16::bigint[],
      $17::text[],
      $18::smallint[], $19::integer[], $20::smallint[], $21::bigint[], $22::integer[],
      $23::integer[], $24::bigint[], $25::bigint[], $26::bigint[], $27::integer[],
      $28::integer[], $29::boolean[], $30::boolean[],
      $31::text[], $32::text[], $33::text[], $34::text[])
    as i (id, tenant_id, name, job_type,
      schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
      every_micros, run_at, start_at, end_at, jitter_micros,
      calendar,
      overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
      max_attempts, retry_base, retry_cap, timeout, priority,
      live_limit, exclusive, replaces,
      target, payload, labels, description)
),
made as (
  insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, job_type,
    schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros, run_at,
    start_at, end_at, jitter_micros, calendar, overlap, max_concurrent, misfire, misfire_grace,
    max_missed_firings, max_attempts, retry_base, retry_cap, timeout, priority, live_limit,
    exclusive, replaces, labels, description, created_at, updated_at)
  select i.id, (i.id & 65535)::integer, i.tenant_id, i.name, 1, 0, c.now, i.job_type,
    i.schedule_type, i.cron_expression, i.dialect, i.timezone, i.dst_gap, i.dst_overlap,
    i.every_micros, i.run_at, i.start_at, i.end_at, i.jitter_micros, i.calendar, i.overlap,
    i.max_concurrent, i.misfire, i.misfire_grace, i.max_missed_firings, i.max_attempts,
    i.retry_base, i.retry_cap, i.timeout, i.priority, i.live_limit, i.exclusive, i.replaces,
    i.labels::jsonb, i.description, c.now, c.now
  from input i cross join clock c
  on conflict (tenant_id, name) where status <> 4 do nothing
  returning id, effective_from
),
revisions as (
  insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target,
    payload, created_at)
  select i.id, 1, c.now, 0, i.job_type,
    jsonb_build_object('type', i.schedule_type, 'cron_expression', i.cron_expression,
      'dialect', i.dialect, 'timezone', i.timezone, 'dst_gap', i.dst_gap,
      'dst_overlap', i.dst_overlap, 'every_micros', i.every_micros, 'run_at', i.run_at,
      'start_at', i.start_at, 'end_at', i.end_at, 'jitter_micros', i.jitter_micros,
      'calendar', i.calendar),
    i.target::json, i.payload::json, c.now
  from input i cross join clock c
)
select id, effective_from from made

-- name: announce_jobs
-- $1 clock, $2 jobs just inserted, $3 their effective_from, $4 their tenants. The short part under the partitions'
-- locks; returns the partitions found, and each job whose partition had moved past its start.
with
locked as materialized (
  select p.id
  from partitions p
  where p.id = any (array(select (id & 65535)::integer from unnest($2::bigint[]) as id))
  order by p.id
  for update
),
bumped as (
  update partitions p set jobs_version = p.jobs_version + 1
  from locked l
  where p.id = l.id
  returning p.id, p.jobs_version, p.decided_through
),
touched as materialized (
  select j.id, j.tenant_id, b.id as partition, b.jobs_version, b.decided_through,
    b.decided_through > j.effective_from as late
  from unnest($2, $3::timestamptz[], $4::bigint[]) as j (id, effective_from, tenant_id)
  join bumped b on b.id = (j.id & 65535)::integer
),
changes as (
  insert into job_changes (partition, version, job_id, changed_at)
  select t.partition, t.jobs_version, t.id, coalesce($1::timestamptz, clock_timestamp())
  from touched t
),
counted as (
  insert into tenant_jobs as n (tenant_id, partition, jobs)
  select t.tenant_id, t.partition, count(*)
  from touched t
  group by t.tenant_id, t.partition
  on conflict (tenant_id, partition) do update set jobs = n.jobs + excluded.jobs
),
corrected as (
  update jobs j set effective_from = t.decided_through
  from touched t
  where t.late and j.id = t.id
),
corrected_revisions as (
  update job_revisions v set effective_from = t.decided_through
  from touched t
  where t.late and v.job_id = t.id and v.revision = 1
)
select id, case when late then decided_through end from touched

-- name: lock_partition
-- $1 clock, $2 partition. The clock is read after the lock was waited for.
with
locked as materialized (
  select p.owner, p.epoch, p.decided_through, p.jobs_version
  from partitions p
  where p.id = $2::integer
  for update
)
select l.owner, l.epoch, l.decided_through, l.jobs_version,
  coalesce($1::timestamptz, clock_timestamp())
from locked l

-- name: update_job
-- $1 now, $2 ids, $3 tenants, then the definition's columns, all arrays of one;
-- $35 revision, $36 status, $37 effective_from, $38 paused_until, $39 whether the revision is new
with
input as materialized (
  select *
  from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[],
      $6::smallint[], $7::text[], $8::smallint[], $9::text[], $10::smallint[], $11::smallint[],
      $12::bigint[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[], $16::bigint[],
      $17::text[],
      $18::smallint[], $19::integer[], $20::smallint[], $21::bigint[], $22::integer[],
      $23::integer[], $24::bigint[], $25::bigint[], $26::bigint[], $27::integer[],
      $28::integer[], $29::boolean[], $30::boolean[],
      $31::text[], $32::text[], $33::text[], $34::text[])
    as i (id, tenant_id, name, job_type,
      schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
      every_micros, run_at, start_at, end_at, jitter_micros,
      calendar,
      overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
      max_attempts, retry_base, retry_cap, timeout, priority,
      live_limit, exclusive, replaces,
      target, payload, labels, description)
),
changed as (
  update jobs j
  set name = i.name, revision = $35::integer, status = $36::smallint,
    effective_from = $37::timestamptz, paused_until = $38::timestamptz, job_type = i.job_type,
    schedule_type = i.schedule_type, cron_expression = i.cron_expression, dialect = i.dialect,
    timezone = i.timezone, dst_gap = i.dst_gap, dst_overlap = i.dst_overlap,
    every_micros = i.every_micros, run_at = i.run_at, start_at = i.start_at, end_at = i.end_at,
    jitter_micros = i.jitter_micros, calendar = i.calendar, overlap = i.overlap,
    max_concurrent = i.max_concurrent, misfire = i.misfire, misfire_grace = i.misfire_grace,
    max_missed_firings = i.max_missed_firings, max_attempts = i.max_attempts,
    retry_base = i.retry_base, retry_cap = i.retry_cap, timeout = i.timeout,
    priority = i.priority, live_limit = i.live_limit, exclusive = i.exclusive,
    replaces = i.replaces, labels = i.labels::jsonb, description = i.description, updated_at = $1
  from input i
  where j.id = i.id
)
insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target,
  payload, created_at)
select i.id, $35, $37, $36, i.job_type,
  jsonb_build_object('type', i.schedule_type, 'cron_expression', i.cron_expression,
    'dialect', i.dialect, 'timezone', i.timezone, 'dst_gap', i.dst_gap,
    'dst_overlap', i.dst_overlap, 'every_micros', i.every_micros, 'run_at', i.run_at,
    'start_at', i.start_at, 'end_at', i.end_at, 'jitter_micros', i.jitter_micros,
    'calendar', i.calendar),
  i.target::json, i.payload::json, $1::timestamptz
from input i
where $39::boolean

-- name: announce_change
-- $1 now, $2 job; its partition is locked
with
bumped as (
  update partitions p set jobs_version = p.jobs_version + 1
  where p.id = ($2::bigint & 65535)::integer
  returning p.id, p.jobs_version
)
insert into job_changes (partition, version, job_id, changed_at)
select b.id, b.jobs_version, $2, $1::timestamptz from bumped b

-- name: end_line
-- $1 now, $2 job. One that is being claimed at this moment is not in line any more.
with
gone as (
  delete from runs r
  where r.partition = ($2::bigint & 65535)::integer and r.job_id = $2
    and r.state + 0 = 0 and r.due_at > r.scheduled_for  -- by its key, not by an index of waiting runs
  returning r.*
)
insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
  scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch,
  node, result, error, payload)
select g.partition, g.job_id, g.run_key, g.tenant_id, g.job_type, g.revision, g.origin, 6,
  g.scheduled_for, g.decided_at, g.started_at, $1::timestamptz, g.stands_for, g.attempt, g.fence,
  g.worker, g.epoch, g.node, null, 'the job was stopped while the run waited in line',
  g.payload
from gone g
