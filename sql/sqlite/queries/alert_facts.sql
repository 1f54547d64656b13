-- What rules look at. ?1 tenant; each query is along an index, and stops at 50,000 rows.

-- name: alert_failing
-- ?2 failures in a row
select job_id from failing where tenant_id = ?1 and in_a_row >= ?2 limit 50000;

-- name: alert_failures
-- ?2 since
select job_id, finished_at from history indexed by history_unhappy
where tenant_id = ?1 and state <> :succeeded and state in (:run_failed, :dead, :timed_out)
  and finished_at >= ?2
order by finished_at desc
limit 50000;

-- name: alert_live_runs
-- ?2 times up to this. The time of a first attempt that its calendar delays is when that opens.
select job_id, state, attempt,
  iif(attempt <= 1 and due_at > scheduled_for and decided_at <= scheduled_for + 1000000
    and (select j.calendar_policy from jobs j where j.id = job_id) = :delays, due_at, scheduled_for),
  due_at, started_at
from runs
where tenant_id = ?1 and scheduled_for <= ?2
order by scheduled_for
limit 50000;

-- name: alert_late_runs
-- ?2 ended since, ?3 how late in microseconds. Nobody knows when a run that is over was to start, if
-- its calendar delays.
select distinct job_id from history
where tenant_id = ?1 and finished_at >= ?2 and attempt <= 1 and origin = :by_schedule
  and started_at >= scheduled_for + ?3
  and (select j.calendar_policy from jobs j where j.id = job_id) is not :delays
limit 50000;

-- name: alert_missed
-- ?2 decided since
select distinct s.job_id from skips s join jobs j on j.id = s.job_id
where s.reason in (5, 8) and s.decided_at >= ?2 and j.tenant_id = ?1
limit 50000;

-- name: alert_broken
select b.job_id, b.reason from broken_schedules b cross join jobs j on j.id = b.job_id
where j.tenant_id = ?1 and j.status in (:active, :paused)
limit 50000;

-- name: alert_dead_letters
select job_id, count(*) from history
where tenant_id = ?1 and state = :dead and state <> :succeeded
group by job_id
limit 50000;

-- name: alert_job
-- ?2 now, ?3 job. Missed: the last missed tick.
select j.id, j.name, j.job_type, j.labels,
  j.status = :paused and (j.paused_until is null or j.paused_until > ?2),
  coalesce((select f.in_a_row from failing f where f.job_id = j.id), 0),
  (select max(s.last_tick) from skips s
   where s.partition = j.partition and s.job_id = j.id and s.reason in (5, 8))
from jobs j
where j.tenant_id = ?1 and j.id = ?3 and j.status <> :deleted;

-- name: alert_last_run
-- ?1 partition, ?2 job
select h.scheduled_for,
  case when h.attempt <= 1 and (select j.calendar_policy from jobs j where j.id = ?2) is not :delays
    then h.started_at end
from history h indexed by history_job
where h.partition = ?1 and h.job_id = ?2
order by h.scheduled_for desc
limit 1;

-- name: alert_durations
-- ?1 partition, ?2 job: how long its last runs took
select x.started_at, x.finished_at from (
  select h.state, h.started_at, h.finished_at from history h indexed by history_job
  where h.partition = ?1 and h.job_id = ?2
  order by h.scheduled_for desc
  limit 21
) as x
where x.state = :succeeded and x.started_at is not null;
