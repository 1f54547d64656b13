-- Earlier definitions of a job.

-- name: revisions_of
-- $1 job, $2 those before, $3 effective at the latest, $4 how many
select v.revision, v.effective_from, v.status, v.paused_until, v.name, v.job_type,
  (v.schedule ->> 'type')::smallint, v.schedule ->> 'cron_expression',
  (v.schedule ->> 'dialect')::smallint, v.schedule ->> 'timezone',
  (v.schedule ->> 'dst_gap')::smallint, (v.schedule ->> 'dst_overlap')::smallint,
  (v.schedule ->> 'every_micros')::bigint, (v.schedule ->> 'run_at')::timestamptz,
  (v.schedule ->> 'start_at')::timestamptz, (v.schedule ->> 'end_at')::timestamptz,
  (v.schedule ->> 'jitter_micros')::bigint, v.schedule ->> 'calendar',
  coalesce((v.schedule ->> 'calendar_policy')::smallint, 0), v.overlap, v.max_concurrent, v.misfire, v.misfire_grace, v.max_missed_firings,
  v.max_attempts, v.retry_base, v.retry_cap, v.timeout, v.priority, v.start_within, v.stop_within,
  v.run_in, v.calendar_rules, v.created_at, v.target::text, v.payload::text,
  v.schedule ->> 'labels', v.schedule ->> 'description'
from job_revisions v
where v.job_id = $1::bigint and v.revision < $2::integer and v.effective_from < $3::timestamptz
order by v.revision desc
limit $4::bigint
