-- What rules look at. $1 tenant; each query is along an index, and stops at 50,000 rows.

-- name: alert_failing
-- $2 failures in a row
select job_id from failing where tenant_id = $1::bigint and in_a_row >= $2::bigint limit 50000

-- name: alert_failures
-- $2 since
select job_id, finished_at from history
where tenant_id = $1::bigint and state <> :succeeded and state in (:run_failed, :dead, :timed_out)
  and finished_at >= $2::timestamptz
order by finished_at desc
limit 50000

-- name: alert_live_runs
-- $2 times up to this. The time of a first attempt that its calendar delays is when that opens.
select job_id, state, attempt,
  case when attempt <= 1 and due_at > scheduled_for and decided_at <= scheduled_for + interval '1 second'
      and (select j.calendar_policy from jobs j where j.id = job_id limit 1) = :delays
    then due_at else scheduled_for end,
  due_at, started_at
from runs
where tenant_id = $1::bigint and scheduled_for <= $2::timestamptz
order by scheduled_for
limit 50000

-- name: alert_late_runs
-- $2 ended since, $3 how late in microseconds. Nobody knows when a run that is over was to start, if
-- its calendar delays.
select distinct job_id from history
where tenant_id = $1::bigint and finished_at >= $2::timestamptz and attempt <= 1 and origin = :by_schedule
  and started_at >= scheduled_for + $3::bigint * interval '1 microsecond'
  and (select j.calendar_policy from jobs j where j.id = job_id limit 1) is distinct from :delays
limit 50000

-- name: alert_missed
-- $2 decided since
select distinct s.job_id from skips s join jobs j on j.id = s.job_id
where s.reason in (5, 8) and s.decided_at >= $2::timestamptz and j.tenant_id = $1::bigint
limit 50000

-- name: alert_broken
select b.job_id, b.reason
from broken_schedules b
cross join lateral (select x.tenant_id, x.status from jobs x where x.id = b.job_id limit 1) as j
where j.tenant_id = $1::bigint and j.status in (:active, :paused)
limit 50000

-- name: alert_dead_letters
select job_id, count(*) from history
where tenant_id = $1::bigint and state = :dead and state <> :succeeded
group by job_id
limit 50000

-- name: alert_jobs
-- $2 clock, $3 jobs. Lag: of the last run that began, in microseconds. Missed: the last missed tick, if
-- no run came after it.
select j.id, j.name, j.job_type, j.labels::text,
  j.status = :paused and (j.paused_until is null
    or j.paused_until > coalesce($2::timestamptz, clock_timestamp())) as paused,
  coalesce((select f.in_a_row from failing f where f.partition = j.partition and f.job_id = j.id), 0),
  h.scheduled_for, case when h.attempt <= 1 and j.calendar_policy <> :delays then h.started_at end, m.last_tick
from jobs j
left join lateral (
  select x.scheduled_for, x.started_at, x.attempt from history x
  where x.partition = j.partition and x.job_id = j.id
  order by x.scheduled_for desc
  limit 1
) as h on true
left join lateral (
  select max(s.last_tick) as last_tick from skips s
  where s.partition = j.partition and s.job_id = j.id and s.reason in (5, 8)
) as m on true
where j.tenant_id = $1::bigint and j.id = any ($3::bigint[]) and j.status <> :deleted

-- name: alert_durations
-- $1 job: how long its last runs took
select x.started_at, x.finished_at from (
  select h.state, h.started_at, h.finished_at from history h
  where h.partition = ($1::bigint & 65535)::integer and h.job_id = $1
  order by h.scheduled_for desc
  limit 21
) as x
where x.state = :succeeded and x.started_at is not null
