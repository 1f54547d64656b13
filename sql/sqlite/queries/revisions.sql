-- Earlier definitions of a job.

-- name: revisions_of
-- ?1 job, ?2 those before, ?3 effective at the latest, ?4 how many
select revision, effective_from, status, paused_until, name, job_type,
  schedule ->> 'type', schedule ->> 'cron_expression', schedule ->> 'dialect',
  schedule ->> 'timezone', schedule ->> 'dst_gap', schedule ->> 'dst_overlap',
  schedule ->> 'every_micros', schedule ->> 'run_at', schedule ->> 'start_at',
  schedule ->> 'end_at', schedule ->> 'jitter_micros', schedule ->> 'calendar',
  coalesce(schedule ->> 'calendar_policy', 0),
  overlap, max_concurrent, misfire, misfire_grace, max_missed_firings,
  max_attempts, retry_base, retry_cap, timeout, priority, start_within, stop_within,
  run_in, calendar_rules, created_at, target, payload, schedule ->> 'labels', schedule ->> 'description'
from job_revisions
where job_id = ?1 and revision < ?2 and effective_from < ?3
order by revision desc
limit ?4;
