-- History by the day (UTC) on which runs ended, for whoever archives it before it goes. A day is ?1 from, ?2 to.

-- name: oldest_history_day
-- when the first of all that is left ended
select min(at) from (
  select min(finished_at) as at from history
  union all
  select min(finished_at) from attempts);

-- name: runs_of_day
-- ?3 when it ended, ?4 job and ?5 key of the run to go on after, ?6 how many
-- The columns are those of past_rows, but with the result.
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node, h.worker, h.result,
  h.error, h.tenant_id, (select j.name from jobs j where j.id = h.job_id), h.job_type,
  (select v.max_attempts from job_revisions v
    where v.job_id = h.job_id and v.revision = h.revision),
  null, null, null, 0, h.reason
from history h indexed by history_end
where h.finished_at >= max(?1, ?3) and h.finished_at < ?2
  and (h.finished_at, h.job_id, h.run_key) > (?3, ?4, ?5)
order by h.finished_at, h.job_id, h.run_key
limit ?6;

-- name: count_day
select count(*) from history indexed by history_end where finished_at >= ?1 and finished_at < ?2;

-- name: drop_day
-- ?3 how many at a time
delete from history
where rowid in (
  select rowid from history indexed by history_end where finished_at >= ?1 and finished_at < ?2
  order by finished_at limit ?3);

-- name: drop_attempts_of_day
delete from attempts
where (partition, job_id, run_key, fence) in (
  select partition, job_id, run_key, fence from attempts indexed by attempts_end
  where finished_at >= ?1 and finished_at < ?2
  order by finished_at limit ?3);
