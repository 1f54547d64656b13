-- Rows as the store's readers want them, and the chores that need dynamic names.

-- A job with what its revision says, in the order postgres/job_columns.cc reads.
create view job_rows as
select j.id, j.tenant_id, j.revision, j.status, j.effective_from, j.paused_until,
  j.name, j.job_type,
  j.schedule_type, j.cron_expression, j.dialect, j.timezone, j.dst_gap, j.dst_overlap,
  j.every_micros, j.run_at, j.start_at, j.end_at, j.jitter_micros, j.calendar,
  j.overlap, j.max_concurrent, j.misfire, j.misfire_grace, j.max_missed_firings,
  j.max_attempts, j.retry_base, j.retry_cap, j.timeout, j.priority,
  v.target::text as target, v.payload::text as payload, j.labels::text as labels, j.description,
  j.partition
from jobs j
join job_revisions v on v.job_id = j.id and v.revision = j.revision;

-- Live runs and history as one, in the order postgres/ledger.cc reads.
create view run_rows as
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at,
  null::timestamptz as finished_at, attempt, fence, revision, stands_for, epoch, node, worker,
  null::text as result, '' as error, partition
from runs
union all
select job_id, run_key, state, origin, scheduled_for, decided_at, started_at,
  finished_at, attempt, fence, revision, stands_for, epoch, node, worker,
  result::text, error, partition
from history;

-- What no day's partition takes; empty unless nobody made partitions for a week.
create table history_rest partition of history default;
create table attempts_rest partition of attempts default;

-- How many runs of a tenant are running, counted no further than `most`. Volatile on purpose: it
-- sees what was committed after the calling statement began, which is what a claim needs once it
-- holds the tenant's lock.
create function in_flight(tenant bigint, most bigint) returns bigint
language sql volatile as $$
  select count(*) from (
    select from runs r where r.tenant_id = tenant and r.state = 1 limit most) as running
$$;

-- Makes the partitions of history and attempts from today to `days` ahead. A day whose rows already
-- went to the rest stays there. Attaching, unlike creating in place, does not block inserts.
create function make_history_days(at timestamptz, days integer) returns void
language plpgsql set lock_timeout = '2s' as $$
declare
  base text;
  day date;
  part text;
begin
  perform pg_advisory_xact_lock(4990126820347012);  -- nodes that start together make them once
  foreach base in array array['history', 'attempts'] loop
    for n in 0 .. days loop
      day := (at at time zone 'UTC')::date + n;
      part := base || '_' || to_char(day, 'YYYYMMDD');
      continue when to_regclass(part) is not null;
      begin
        execute format('create table %I (like %I including defaults)', part, base);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', base, part,
          day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
      exception when check_violation then
        null;
      end;
    end loop;
  end loop;
end
$$;

-- Drops the days of history and attempts that ended before `before`.
create function drop_history_days(before timestamptz) returns void
language plpgsql set lock_timeout = '2s' as $$
declare
  part text;
begin
  for part in
    select c.relname
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('history'::regclass, 'attempts'::regclass)
      and c.relname ~ '_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= (before at time zone 'UTC')::date
    order by c.relname
  loop
    execute format('drop table %I', part);
  end loop;
  delete from history_rest where finished_at < before;
  delete from attempts_rest where finished_at < before;
end
$$;
