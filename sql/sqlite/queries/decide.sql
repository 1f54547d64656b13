-- What ticks become.

-- name: partition_row
select owner, epoch, decided_through, jobs_version from partitions where id = ?1;

-- name: raise_cursor
update partitions set decided_through = ?2 where id = ?1;

-- name: terms_of_job
-- What deciding a tick of a job depends on. Without a limit (the largest int32) nothing is counted;
-- runs in line (ready, due later than their tick) never are.
select j.live_limit, j.replaces,
  case when j.live_limit = 2147483647 then 0
    else (
      select count(*)
      from runs r
      where r.partition = j.partition and r.job_id = j.id
        and not (r.state = :ready and r.due_at > r.scheduled_for))
  end,
  j.tenant_id, coalesce(j.queue, j.job_type), j.job_type, j.run_in, j.priority, j.exclusive,
  j.start_within, j.effective_from, s.first_tick, s.last_tick, s.count, s.reason
from jobs j
  left join skips s indexed by skips_open
    on s.partition = j.partition and s.job_id = j.id and s.open = 1
where j.id = ?1;

-- name: insert_run
-- If the job has a limit, a run in line is handed out alone, because it was not counted; and so is one
-- that somebody asks for where there is no room.
insert into runs (
  partition, job_id, run_key, tenant_id, job_type, queue, run_in, revision, origin, state, priority,
  scheduled_for, due_at, decided_at, stands_for, exclusive, max_attempts, retry_base, retry_cap,
  timeout, epoch, node, payload, start_by)
select ?1, ?2, ?3, tenant_id, job_type, queue, run_in, revision, ?4, :ready, priority,
  ?5, ?6, ?7, ?8,
  case when exclusive or live_limit = 2147483647 then exclusive
    when ?6 > ?5 then 1
    when ?4 = :by_schedule then 0
    else live_limit <= (
      select count(*)
      from runs r
      where r.partition = ?1 and r.job_id = ?2 and not (r.state = :ready and r.due_at > r.scheduled_for))
  end, max_attempts, retry_base, retry_cap,
  timeout, ?9, ?10, ?11, max(?6, ?7) + start_within
from jobs
where id = ?2
on conflict (partition, job_id, run_key) do nothing;

-- name: run_is_live
select 1 from runs where partition = ?1 and job_id = ?2 and run_key = ?3;

-- name: other_waiting_runs
select run_key
from runs
where partition = ?1 and job_id = ?2 and run_key <> ?3 and state <> :running
  and not (state = :ready and due_at > scheduled_for);

-- name: other_running_runs
select run_key from runs
where partition = ?1 and job_id = ?2 and run_key <> ?3 and state = :running;

-- name: cancel_other_running_runs
-- ?4 now
update runs
set cancel_requested = 1,
  deadline = min(deadline, ?4 + (select stop_within from jobs where id = ?2)),
  lease_until = min(lease_until, ?4 + (select stop_within from jobs where id = ?2))
where partition = ?1 and job_id = ?2 and run_key <> ?3 and state = :running;

-- name: put_skip
-- A skip that goes on keeps the moment and the epoch it began with.
insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
on conflict (partition, job_id, first_tick) do update
set last_tick = excluded.last_tick, count = excluded.count, open = excluded.open;

-- name: put_lone_skip
-- A skip that nothing extends, and that extends nothing.
insert into skips (partition, job_id, first_tick, last_tick, count, reason, open, decided_at, epoch)
values (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8)
on conflict (partition, job_id, first_tick) do nothing;
