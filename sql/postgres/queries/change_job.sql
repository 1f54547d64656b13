-- A new revision of a definition, or another status. Registrations use the same statements for many.

-- name: lock_partitions
-- $1 clock, $2 partitions. Everybody locks partitions in the order of their ids. The clock is read
-- once the locks are held.
with
locked as materialized (
  select p.id, p.owner, p.epoch, p.decided_through, p.jobs_version
  from partitions p
  where p.id = any ($2::integer[])
  order by p.id
  for update
),
clock as materialized (
  select coalesce($1::timestamptz, clock_timestamp()) as now from (select count(*) from locked) as l
)
select l.id, l.owner, l.epoch, l.decided_through, l.jobs_version, (select now from clock)
from locked l

-- name: job_to_change
-- $1 job, $2 the new labels, or null
select coalesce(r.labels::jsonb = $2::text::jsonb, true), r.* from job_rows_4 r where r.id = $1::bigint

-- name: fate_of_tick
-- $1 job, $2 tick, $3 the key of its run: how many fates it has, live, past or skipped. Of a range of
-- skips only the first is looked for: its definition says what lies within.
select (
  select count(*) from runs r
  where r.partition = ($1::bigint & 65535)::integer and r.job_id = $1 and r.run_key = $3::bigint
) + (
  select count(*) from history h
  where h.partition = ($1 & 65535)::integer and h.job_id = $1 and h.scheduled_for = $2::timestamptz
    and h.run_key = $3
) + (
  select count(*) from skips s
  where s.partition = ($1 & 65535)::integer and s.job_id = $1 and s.first_tick = $2
)

-- name: update_jobs
-- $1 now, $2 ids, $3 tenants, then the definition's columns; $37 revisions, $38 statuses,
-- $39 effective_from, $40 paused_until, $41 paused_by, $42 pause notes, $43 queues, $44 terms
update jobs j
set name = i.name, revision = i.revision, status = i.status, effective_from = i.effective_from,
  paused_until = i.paused_until, paused_by = i.paused_by, pause_note = i.pause_note,
  job_type = i.job_type, queue = nullif(i.queue, ''), schedule_type = i.schedule_type, cron_expression = i.cron_expression,
  dialect = i.dialect, timezone = i.timezone, dst_gap = i.dst_gap, dst_overlap = i.dst_overlap,
  every_micros = i.every_micros, run_at = i.run_at, start_at = i.start_at, end_at = i.end_at,
  jitter_micros = i.jitter_micros, calendar = i.calendar,
  calendar_policy = i.calendar_policy, overlap = i.overlap,
  max_concurrent = i.max_concurrent, misfire = i.misfire, misfire_grace = i.misfire_grace,
  max_missed_firings = i.max_missed_firings, max_attempts = i.max_attempts,
  retry_base = i.retry_base, retry_cap = i.retry_cap, timeout = i.timeout, priority = i.priority,
  start_within = i.start_within, stop_within = i.stop_within, run_in = i.run_in,
  live_limit = i.live_limit, exclusive = i.exclusive, replaces = i.replaces,
  terms = nullif(i.terms, '')::uuid,
  labels = i.labels::jsonb, description = i.description, updated_at = $1::timestamptz,
  calendar_rules = case when i.calendar = '' then '' else j.calendar_rules end,
  calendar_revision = case when i.calendar = '' then 0 else j.calendar_revision end
from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[],
    $6::smallint[], $7::text[], $8::smallint[], $9::text[], $10::smallint[], $11::smallint[],
    $12::bigint[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[], $16::bigint[],
    $17::text[], $18::smallint[],
    $19::smallint[], $20::integer[], $21::smallint[], $22::bigint[], $23::integer[],
    $24::integer[], $25::bigint[], $26::bigint[], $27::bigint[], $28::integer[], $29::bigint[],
    $30::bigint[], $31::smallint[], $32::integer[], $33::boolean[], $34::boolean[],
    $35::text[], $36::text[], $37::integer[], $38::smallint[], $39::timestamptz[],
    $40::timestamptz[], $41::text[], $42::text[], $43::text[], $44::text[])
  as i (id, tenant_id, name, job_type,
    schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap,
    every_micros, run_at, start_at, end_at, jitter_micros,
    calendar, calendar_policy,
    overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
    max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within, run_in,
    live_limit, exclusive, replaces,
    labels, description, revision, status, effective_from, paused_until, paused_by, pause_note,
    queue, terms)
where j.id = i.id

-- name: restate_jobs
-- Jobs whose definitions stay as they are. $1 now, $2 ids, $3 revisions, $4 statuses,
-- $5 effective_from, $6 paused_until, $7 paused_by, $8 pause notes
update jobs j
set revision = i.revision, status = i.status, effective_from = i.effective_from,
  paused_until = i.paused_until, paused_by = i.paused_by, pause_note = i.pause_note,
  updated_at = $1::timestamptz
from unnest($2::bigint[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::timestamptz[],
    $7::text[], $8::text[])
  as i (id, revision, status, effective_from, paused_until, paused_by, pause_note)
where j.id = i.id

-- name: record_jobs
-- $1 clock, $2 jobs just written, $3 the revision before of each; of a new one $4 its schedule,
-- $5 target and $6 payload, the first empty if all three are as they were; for the audit $7 who,
-- $8 what, $9 details
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
input as materialized (
  select i.*, j.*
  from unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[])
    as i (id, revision_before, schedule, target, payload, actor, action, detail)
  cross join lateral (
    select j.tenant_id, j.name, j.revision, j.effective_from, j.status, j.job_type,
      j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
      j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
      j.start_within, j.stop_within, j.run_in, j.paused_until, j.calendar_rules
    from jobs j
    where j.id = i.id
    limit 1
  ) as j
),
revisions as (
  insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target,
    payload, created_at, name, overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
    max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within, run_in,
    paused_until, calendar_rules)
  select i.id, i.revision, i.effective_from, i.status, i.job_type,
    coalesce(nullif(i.schedule, '')::json, b.schedule),
    case when i.schedule = '' then b.target else i.target::json end,
    case when i.schedule = '' then b.payload else i.payload::json end,
    c.now, i.name, i.overlap, i.max_concurrent, i.misfire,
    i.misfire_grace, i.max_missed_firings, i.max_attempts, i.retry_base, i.retry_cap, i.timeout,
    i.priority, i.start_within, i.stop_within, i.run_in, i.paused_until, i.calendar_rules
  from input i
  cross join clock c
  left join lateral (
    select r.schedule, r.target, r.payload
    from job_revisions r
    where i.schedule = '' and r.job_id = i.id and r.revision = i.revision_before
    limit 1
  ) as b on true
  where i.revision <> i.revision_before
),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select c.now, i.tenant_id, i.actor, i.action, 'job:' || i.id, i.detail::jsonb
  from input i cross join clock c
  where i.actor <> ''
),
changed as (
  select i.tenant_id, i.id, i.revision as number, i.status as state from input i
)
-- include: outbox, kind = :of_jobs

-- name: announce_jobs
-- $1 clock, $2 jobs just written, $3 their effective_from, $4 the tenants of the new ones (0: not
-- new), $5 whether insert_jobs was asked to let them in: those that it did not are left alone. The
-- short part under the partitions' locks; returns the jobs that were let in, and the new starts of those
-- whose partition had moved past them.
with
written as materialized (
  select w.id, (w.id & 65535)::integer as partition, w.effective_from, w.counts_for
  from unnest($2::bigint[], $3::timestamptz[], $4::bigint[]) as w (id, effective_from, counts_for)
  where not $5::boolean or (select count(*) from jobs j where j.id = w.id) > 0
),
locked as materialized (
  select p.id
  from partitions p
  where p.id = any (array(select distinct w.partition from written w))
  order by p.id
  for update
),
bumped as (
  update partitions p set jobs_version = p.jobs_version + 1
  from locked l
  where p.id between l.id and l.id
  returning p.id, p.jobs_version, p.decided_through
),
touched as materialized (
  select w.id, w.counts_for, b.id as partition, b.jobs_version, b.decided_through,
    b.decided_through > w.effective_from as late
  from written w
  join bumped b on b.id = w.partition
),
changes as (
  insert into job_changes (partition, version, job_id, changed_at)
  select t.partition, t.jobs_version, t.id, coalesce($1::timestamptz, clock_timestamp())
  from touched t
),
-- On any one row of each tenant: only the sum counts, and we hold the lock of that partition.
counted as (
  insert into tenant_jobs as n (tenant_id, partition, jobs)
  select t.counts_for, min(t.partition), count(*)
  from touched t
  where t.counts_for > 0
  group by t.counts_for
  on conflict (tenant_id, partition) do update set jobs = n.jobs + excluded.jobs
),
corrected as (
  update jobs j set effective_from = t.decided_through
  from touched t
  where t.late and j.id between t.id and t.id
),
-- Found one by one: if joined while the table is empty, the planner would read all of it
-- ever after.
corrected_revisions as (
  update job_revisions v set effective_from = t.decided_through
  from touched t
  cross join lateral (
    select r.ctid from job_revisions r where r.job_id = t.id and r.revision = 1 limit 1
  ) as first
  where t.late and v.ctid = first.ctid
)
select id, case when late then decided_through end from touched where late or $5

-- name: uncount_jobs
-- $1 jobs, whose partitions are locked, $2 their tenants. They may have been counted on other rows.
insert into tenant_jobs as n (tenant_id, partition, jobs)
select i.tenant_id, (i.id & 65535)::integer, -count(*)
from unnest($1::bigint[], $2::bigint[]) as i (id, tenant_id)
group by 1, 2
order by 1, 2
on conflict (tenant_id, partition) do update set jobs = n.jobs + excluded.jobs

-- name: end_line
-- $1 now, $2 jobs, $3 whether all that wait end, or only those in line. A run that is being claimed at
-- this moment waits no longer.
with
clock as materialized (select $1::timestamptz as now),
waiting as materialized (
  select w.place
  from unnest($2::bigint[], $3::boolean[]) as i (id, all_of_them)
  cross join lateral (  -- found by its key, not by an index of waiting runs
    select r.ctid as place
    from runs r
    where r.partition = (i.id & 65535)::integer and r.job_id = i.id and r.state + 0 <> :running
      and (i.all_of_them or (r.state + 0 = :ready and r.due_at > r.scheduled_for))
    offset 0
  ) as w
),
gone as (
  delete from runs r
  where r.ctid = any (array(select place from waiting)) and r.state + 0 <> :running
  returning r.*
),
past as (
  select g.*, :run_cancelled as end_state, null::json as end_result,
    'the job was stopped while the run waited' as end_error, 0 as end_reason
  from gone g
),
ended as (
  -- include: history
),
changed as (
  select g.tenant_id, g.job_id as id, g.run_key as number, :run_cancelled as state from gone g
)
-- include: outbox, kind = :of_runs
