-- A cluster's worth of definitions and history, as fast as the server can make them. The caller sets
-- load.jobs and load.history. Jobs n = 1.. have ids n << 16 | slice, where the slice is n * 167 mod
-- 256, so that the program can name any job without asking.

-- Without indexes and foreign keys while it loads; they are made again at the end, as they were.
set session_replication_role = replica;
create temp table keys as
  select format('alter table %I drop constraint %I', conrelid::regclass, conname) as leave,
    format('alter table %I add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as enter
  from pg_constraint
  where conrelid in ('jobs'::regclass, 'job_revisions'::regclass) and contype = 'p'
  union all
  select format('drop index %I', i.indexrelid::regclass),
    replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
  from pg_index i
  where i.indrelid in ('jobs'::regclass, 'history'::regclass) and not i.indisprimary;
do $$
declare leave text;
begin
  for leave in select k.leave from keys k loop execute leave; end loop;
end $$;

insert into tenants (id, name, created_at)
select n, 'tenant-' || n, clock_timestamp() from generate_series(2, 50) as n;

-- Every other job forbids overlaps (0), the rest allow them (1). The terms are those of core/terms.cc.
insert into jobs (id, partition, tenant_id, name, revision, status, effective_from, job_type,
  schedule_type, cron_expression, dialect, timezone, dst_gap, dst_overlap, every_micros, run_at,
  jitter_micros, calendar, overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority, live_limit, exclusive, replaces, labels,
  description, created_at, updated_at, terms)
select n << 16 | (n * 167 & 255), n * 167 & 255, n % 50 + 1, 'report-' || n, 1, 0,
  now() - interval '1 day', 'default', 0, n % 60 || ' ' || n / 60 % 24 || ' * * *', 0,
  'Europe/Berlin', 0, 0, 0, now(), 0, '', n / 256 & 1, 0, 0, 3600000000, 10, 3, 1000000, 60000000,
  60000000, 0, case when (n / 256 & 1) = 1 then 2147483647 else 1 end, false, false,
  '{"team": "reports"}', 'the nightly report of customer ' || n, now(), now(),
  encode(substring(sha256(convert_to('0 0 0 0 0 ' || (n / 256 & 1) || ' 0 3600000000 10 Europe/Berlin'
    || chr(10) || n % 60 || ' ' || n / 60 % 24 || ' * * *', 'UTF8')), 1, 16), 'hex')::uuid
from generate_series(1, current_setting('load.jobs')::bigint) as n;

insert into job_revisions (job_id, revision, effective_from, status, job_type, schedule, target,
  payload, created_at)
select id, 1, effective_from, 0, job_type,
  jsonb_build_object('type', 0, 'cron_expression', cron_expression, 'timezone', timezone,
    'dialect', 0, 'dst_gap', 0, 'dst_overlap', 0, 'every_micros', 0, 'run_at', run_at,
    'jitter_micros', 0, 'calendar', ''),
  '{"kind":"WORKER"}', json_build_object('customer', id), created_at
from jobs;

insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
  scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch,
  node, result, error)
select j.slice, j.n << 16 | j.slice, extract(epoch from h.at)::bigint * 1000000, j.n % 50 + 1,
  'default', 1, 0, 3, h.at, h.at, h.at, h.at + interval '2 seconds', 1, 1, h.n, 'worker-1', 1,
  '00000000-0000-0000-0000-000000000001', '{"rows": 17}', ''
from (
  select n, date_trunc('second', now()) - n % 86400 * interval '1 second' as at,
    n % current_setting('load.jobs')::bigint + 1 as job
  from generate_series(1, current_setting('load.history')::bigint) as n
) as h
cross join lateral (select h.job as n, (h.job * 167 & 255)::integer as slice) as j;

set maintenance_work_mem = '1GB';
do $$
declare enter text;
begin
  for enter in select k.enter from keys k loop execute enter; end loop;
end $$;
