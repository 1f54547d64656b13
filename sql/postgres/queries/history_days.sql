-- History by the day (UTC) on which runs ended, for whoever archives it before it goes.

-- name: oldest_history_day
-- $1 clock, $2 retention; the first moment of the day, or null
with
cut as materialized (
  select (
    (coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond') at time zone 'UTC'
  )::date as day
),
days as (
  select to_date(right(c.relname, 8), 'YYYYMMDD') as day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent in ('history'::regclass, 'attempts'::regclass) and c.relname ~ '_[0-9]{8}$'
  union all
  select (min(h.finished_at) at time zone 'UTC')::date from history_rest h
  union all
  select (min(a.finished_at) at time zone 'UTC')::date from attempts_rest a
)
select min(d.day)::timestamp at time zone 'UTC' from days d where d.day < (select day from cut)

-- name: runs_of_day
-- $1 from, $2 to, $3 partition, $4 job, $5 scheduled_for and $6 key to go on after, $7 how many; the columns of
-- past_rows_2, but with the result
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node, h.worker,
  h.result::text, h.error, h.tenant_id, (select j.name from jobs j where j.id = h.job_id),
  h.job_type, (select v.max_attempts from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision),
  null::timestamptz, null::timestamptz, null::timestamptz, false, h.reason
from history h
where h.finished_at >= $1::timestamptz and h.finished_at < $2::timestamptz
  and (h.partition, h.job_id, h.scheduled_for, h.run_key)
    > ($3::integer, $4::bigint, $5::timestamptz, $6::bigint)
order by h.partition, h.job_id, h.scheduled_for, h.run_key
limit $7::bigint

-- name: drop_day
-- $1 the first moment of the day, $2 how many runs it has
select drop_history_day(($1::timestamptz at time zone 'UTC')::date, $2::bigint)
