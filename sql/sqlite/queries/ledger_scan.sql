-- What a proof of the whole ledger reads, many jobs at a time.

-- name: ledger_jobs
-- ?1 after, ?2 deleted by then: left out, ?3 how many
select id, tenant_id, name, effective_from
from jobs
where id > ?1 and not (status = :deleted and effective_from <= ?2)
order by id
limit ?3;

-- name: ledger_revisions
-- ?1 job, ?2 after
select revision, effective_from, created_at, status, paused_until, name,
  schedule ->> 'type', schedule ->> 'cron_expression', schedule ->> 'dialect',
  schedule ->> 'timezone', schedule ->> 'dst_gap', schedule ->> 'dst_overlap',
  schedule ->> 'every_micros', schedule ->> 'run_at', schedule ->> 'start_at',
  schedule ->> 'end_at', schedule ->> 'jitter_micros', schedule ->> 'calendar',
  coalesce(schedule ->> 'calendar_policy', 0),
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within,
  run_in, calendar_rules
from job_revisions
where job_id = ?1 and effective_from >= coalesce((
  select max(effective_from) from job_revisions
  where job_id = ?1 and effective_from <= ?2), -9223372036854775808)
order by revision;

-- name: ledger_live_rows
-- ?1 partition, ?2 job, ?3 after, ?4 through, ?5 how many
select scheduled_for, stands_for, revision, decided_at,
  case when attempt = 1 then started_at end
from runs
where partition = ?1 and job_id = ?2 and run_key > ?3 and run_key <= ?4
  and origin = :by_schedule and scheduled_for > ?3 and scheduled_for <= ?4
order by run_key
limit ?5;

-- name: ledger_past_rows
-- as above
select scheduled_for, stands_for, revision, decided_at,
  case when attempt = 1 then started_at end
from history indexed by history_job
where partition = ?1 and job_id = ?2 and scheduled_for > ?3 and scheduled_for <= ?4
  and origin = :by_schedule
order by scheduled_for
limit ?5;

-- name: ledger_skip_rows
-- as above. Skips do not overlap, so only the last one that began before can reach into the window.
select first_tick, last_tick, reason, count, decided_at
from skips
where partition = ?1 and job_id = ?2
  and first_tick >= coalesce((
    select max(first_tick) from skips where partition = ?1 and job_id = ?2 and first_tick <= ?3), ?3)
  and first_tick <= ?4 and last_tick > ?3
order by first_tick
limit ?5;
