-- What workers show of an attempt.

-- name: put_run_log
-- ?5 now, ?6 the log (empty: no news), ?7 and ?8 the progress (null: no news)
insert into run_logs (partition, job_id, run_key, attempt, log, progress_done, progress_total,
  updated_at)
select partition, job_id, run_key, attempt, ?6, ?7, ?8, ?5
from runs
where partition = ?1 and job_id = ?2 and run_key = ?3 and fence = ?4 and state = :running
on conflict (partition, job_id, run_key, attempt) do update
set log = iif(excluded.log = '', log, excluded.log),
  progress_done = coalesce(excluded.progress_done, progress_done),
  progress_total = coalesce(excluded.progress_total, progress_total),
  updated_at = excluded.updated_at;

-- name: find_run_log
-- ?4 the attempt; null: the last one
select attempt, updated_at, log, progress_done, progress_total
from run_logs
where partition = ?1 and job_id = ?2 and run_key = ?3 and attempt = coalesce(?4, attempt)
order by attempt desc
limit 1;

-- name: prune_run_logs
delete from run_logs
where rowid in (
  select rowid from run_logs indexed by run_logs_age where updated_at < ?1
  order by updated_at limit ?2);
