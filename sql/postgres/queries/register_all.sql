-- New definitions.

-- name: prepare_jobs
-- $1 clock, $2 tenants, $3 names, $4 regions. For each job: its place in the list, whether its
-- tenant and its region exist and its name seems free, a serial if so, and how many jobs its tenant
-- has and may have, if it has a limit. With the first one also the time, and the types of the rows
-- that insert_jobs takes. Names are counted, because "exists" may be hashed: the planner chooses that
-- while a table looks empty, and reads it whole when it no longer is.
with
clock as materialized (select coalesce($1::timestamptz, clock_timestamp()) as now),
quotas as materialized (
  select t.id, t.max_jobs,
    case when t.max_jobs > 0
      then (select sum(c.jobs)::bigint from tenant_jobs c where c.tenant_id = t.id)
    end as jobs
  from tenants t
  where t.id = any ($2)
)
select i.n, q.id is not null,
  i.region = any (array(select r.no from regions r where r.no = any ($4))),
  f.is_free, case when f.is_free then nextval('job_serials') end,
  case when q.max_jobs > 0 then coalesce(q.jobs, 0) end, nullif(q.max_jobs, 0),
  case when i.n = 1 then (select now from clock) end,
  case when i.n = 1 then 'new_job_5'::regtype::bigint end,
  case when i.n = 1 then 'new_revision_3'::regtype::bigint end,
  case when i.n = 1 then 'new_label'::regtype::bigint end,
  case when i.n = 1 then 'new_audit'::regtype::bigint end
from unnest($2::bigint[], $3::text[], $4::smallint[]) with ordinality as i (tenant_id, name, region, n)
cross join lateral (
  select count(*) = 0 as is_free
  from jobs j
  where j.tenant_id = i.tenant_id and j.name = i.name and j.status <> :deleted
) as f
left join quotas q on q.id = i.tenant_id

-- name: match_jobs
-- $1 tenants, $2 names, $3 labels: the jobs with these names, each with its place in the list and
-- whether it has these labels, which come back spelled differently
select i.n, r.labels::jsonb = i.labels::jsonb, r.*
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality as i (tenant_id, name, labels, n)
cross join lateral (
  select r.*
  from job_rows_4 r
  where r.tenant_id = i.tenant_id and r.name = i.name and r.status <> :deleted
  limit 1
) as r

-- name: insert_jobs
-- The heavy part of a registration, before any partition is locked: this one for a few jobs, COPY
-- below for many. new_jobs.cc makes the rows of both. $1 jobs, $2 their first revisions, $3 labels,
-- $4 audit; $5 to $8 what is told of them, as tell_of_new_jobs has it.
-- $9 tenants, $10 names, $11 regions of the jobs for which nobody has asked yet whether they may be
-- made: if one of them may not, nothing is written at all. Counted as in prepare_jobs.
with
asked as materialized (
  select i.tenant_id, i.name, i.region
  from unnest($9::bigint[], $10::text[], $11::smallint[]) as i (tenant_id, name, region)
),
let_in as materialized (
  select not exists (
    select
    from asked a
    where (select count(*) from tenants t where t.id = a.tenant_id) = 0
      or (select count(*) from regions r where r.no = a.region) = 0
      or (
        select count(*)
        from jobs j
        where j.tenant_id = a.tenant_id and j.name = a.name and j.status <> :deleted) > 0
  ) and not exists (
    select
    from (select a.tenant_id, count(*) as jobs from asked a group by a.tenant_id) as more
    cross join lateral (select t.max_jobs from tenants t where t.id = more.tenant_id limit 1) as t
    where t.max_jobs > 0 and t.max_jobs < more.jobs + (
      select coalesce(sum(c.jobs), 0)::bigint from tenant_jobs c where c.tenant_id = more.tenant_id)
  ) as yes
),
revisions as (
  insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target,
    payload, created_at, name,
    overlap, max_concurrent, misfire, misfire_grace, max_missed_firings, max_attempts, retry_base,
    retry_cap, timeout, priority, start_within, stop_within, run_in, calendar_rules)
  select r.* from unnest($2::new_revision_3[]) as r where (select yes from let_in)
),
labelled as (
  insert into job_labels (tenant_id, label, name)
  select l.* from unnest($3::new_label[]) as l where (select yes from let_in)
),
audited as (
  insert into audit (at, tenant_id, actor, action, object, detail)
  select a.* from unnest($4::new_audit[]) as a where (select yes from let_in)
),
told as (
  insert into outbox (at, tenant_id, kind, count, news)
  select $5::timestamptz, n.tenant_id, :of_jobs, n.count, n.news
  from unnest($6::bigint[], $7::bigint[], $8::text[]) as n (tenant_id, count, news)
  where (select yes from let_in)
)
insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros, run_at,
  start_at, end_at, jitter_micros, calendar, calendar_policy,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings, max_attempts, retry_base,
  retry_cap, timeout, priority, start_within, stop_within, run_in,
  live_limit, exclusive, replaces, labels, description, created_at, updated_at, paused_by, queue,
  calendar_rules, calendar_revision, terms)
select j.* from unnest($1::new_job_5[]) as j where (select yes from let_in)

-- name: copy_jobs
copy jobs (id, partition, tenant_id, name, revision, status, effective_from, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros, run_at,
  start_at, end_at, jitter_micros, calendar, calendar_policy,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings, max_attempts, retry_base,
  retry_cap, timeout, priority, start_within, stop_within, run_in,
  live_limit, exclusive, replaces, labels, description, created_at, updated_at, paused_by, queue,
  calendar_rules, calendar_revision, terms)
from stdin (format binary)

-- name: copy_revisions
copy job_revisions (job_id, revision, effective_from, status, job_type, schedule, target, payload,
  created_at, name,
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings, max_attempts, retry_base,
  retry_cap, timeout, priority, start_within, stop_within, run_in, calendar_rules)
from stdin (format binary)

-- name: copy_labels
copy job_labels (tenant_id, label, name) from stdin (format binary)

-- name: copy_audit
copy audit (at, tenant_id, actor, action, object, detail) from stdin (format binary)

-- name: tell_of_new_jobs
-- $1 when, $2 tenants, $3 how many of each, $4 some of them
insert into outbox (at, tenant_id, kind, count, news)
select $1::timestamptz, n.tenant_id, :of_jobs, n.count, n.news
from unnest($2::bigint[], $3::bigint[], $4::text[]) as n (tenant_id, count, news)

-- name: draw_ahead
-- $1 clock, $2 how many: serials of jobs to come, each with the time and the types of the rows that
-- insert_jobs takes.
select nextval('job_serials'), coalesce($1::timestamptz, clock_timestamp()),
  'new_job_5'::regtype::bigint, 'new_revision_3'::regtype::bigint, 'new_label'::regtype::bigint,
  'new_audit'::regtype::bigint
from generate_series(1, $2::bigint)
