-- What a proof of the whole ledger reads, many jobs at a time.

-- name: ledger_jobs
-- $1 after, $2 deleted by then: left out, $3 how many
select j.id, j.tenant_id, j.name, j.effective_from
from jobs j
where j.id > $1::bigint and not (j.status = :deleted and j.effective_from <= $2::timestamptz)
order by j.id
limit $3::bigint

-- name: ledger_revisions
-- $1 jobs, $2 after
select v.job_id, v.revision, v.effective_from, v.created_at, v.status, v.paused_until, v.name,
  s.type, s.cron_expression, s.dialect, s.timezone, s.dst_gap, s.dst_overlap, s.every_micros, s.run_at,
  s.start_at, s.end_at, s.jitter_micros, s.calendar, coalesce(s.calendar_policy, 0),
  v.overlap, v.max_concurrent, v.misfire, v.misfire_grace, v.max_missed_firings,
  v.max_attempts, v.retry_base, v.retry_cap, v.timeout, v.priority, v.start_within, v.stop_within,
  v.run_in, v.calendar_rules
from unnest($1::bigint[]) as j (id)
cross join lateral (
  select v.*
  from job_revisions v
  where v.job_id = j.id and v.effective_from >= coalesce((
    select max(b.effective_from) from job_revisions b
    where b.job_id = j.id and b.effective_from <= $2::timestamptz), '-infinity')
) as v
-- The text is read once; by operators it would be once for each field, which costs four times as much.
cross join lateral json_to_record(v.schedule) as s (type smallint, cron_expression text, dialect smallint,
  timezone text, dst_gap smallint, dst_overlap smallint, every_micros bigint, run_at timestamptz,
  start_at timestamptz, end_at timestamptz, jitter_micros bigint, calendar text, calendar_policy smallint)
order by v.job_id, v.revision

-- name: ledger_rows
-- $1 jobs, $2 after, $3 through, $4 how many of each kind. A run ends no earlier than its tick, but
-- for a clock that was set back: days of history from before are not looked at.
select j.id, f.*
from unnest($1::bigint[]) as j (id)
cross join lateral (
  (
    select r.scheduled_for as first_tick, r.scheduled_for as last_tick, -1::smallint as reason,
      r.stands_for as count, r.revision, r.decided_at,
      case when r.attempt = 1 then r.started_at end as started_at
    from runs r
    where r.partition = (j.id & 65535)::integer and r.job_id = j.id and r.origin = :by_schedule
      and r.scheduled_for > $2::timestamptz and r.scheduled_for <= $3::timestamptz
    order by r.scheduled_for
    limit $4::bigint
  )
  union all
  (
    select h.scheduled_for, h.scheduled_for, -1::smallint, h.stands_for, h.revision, h.decided_at,
      case when h.attempt = 1 then h.started_at end
    from history h
    where h.partition = (j.id & 65535)::integer and h.job_id = j.id and h.origin = :by_schedule
      and h.scheduled_for > $2::timestamptz and h.scheduled_for <= $3::timestamptz
      and h.finished_at > $2::timestamptz - interval '1 day'
    order by h.scheduled_for
    limit $4::bigint
  )
  union all
  (
    -- skips do not overlap, so only the last one that began before can reach into the window
    select s.first_tick, s.last_tick, s.reason, s.count, 0, s.decided_at, null
    from skips s
    where s.partition = (j.id & 65535)::integer and s.job_id = j.id
      and s.first_tick >= coalesce((
        select b.first_tick from skips b
        where b.partition = (j.id & 65535)::integer and b.job_id = j.id
          and b.first_tick <= $2::timestamptz
        order by b.first_tick desc
        limit 1), '-infinity')
      and s.first_tick <= $3::timestamptz and s.last_tick > $2::timestamptz
    order by s.first_tick
    limit $4::bigint
  )
) as f
