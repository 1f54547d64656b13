-- What workers show of an attempt.

-- name: put_run_logs
-- $1 clock, $2 jobs, $3 keys, $4 fences, $5 logs (empty: no news), $6 done, $7 total (-1: no news)
insert into run_logs as l (partition, job_id, run_key, attempt, log, progress_done, progress_total,
  updated_at)
select r.partition, r.job_id, r.run_key, r.attempt, g.log,
  case when g.total >= 0 then g.done end, case when g.total >= 0 then g.total end,
  coalesce($1::timestamptz, clock_timestamp())
from (
    select *, (job_id & 65535)::integer as partition
    from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[])
      as g (job_id, run_key, fence, log, done, total)
  ) as g
  join runs r on r.partition = any (array[g.partition]) and r.job_id = any (array[g.job_id])
    and r.run_key = any (array[g.run_key])
  and r.fence = g.fence and r.state + 0 = :running
order by 1, 2, 3
on conflict (partition, job_id, run_key, attempt) do update
set log = case when excluded.log = '' then l.log else excluded.log end,
  progress_done = coalesce(excluded.progress_done, l.progress_done),
  progress_total = coalesce(excluded.progress_total, l.progress_total),
  updated_at = excluded.updated_at

-- name: find_run_log
-- $1 job, $2 key, $3 attempt; null: the last one
select l.attempt, l.updated_at, l.log, l.progress_done is not null, l.progress_done,
  l.progress_total
from run_logs l
where l.partition = ($1::bigint & 65535)::integer and l.job_id = $1 and l.run_key = $2::bigint
  and l.attempt = coalesce($3::bigint, l.attempt)
order by l.attempt desc
limit 1

-- name: prune_run_logs
-- $1 clock, $2 retention; a bounded batch, repeated until nothing is left
with
gone as (
  delete from run_logs
  where ctid = any (array(
    select ctid
    from run_logs
    where updated_at < coalesce($1::timestamptz, clock_timestamp())
      - $2::bigint * interval '1 microsecond'
    limit 10000))
  returning 1
)
select count(*) from gone
