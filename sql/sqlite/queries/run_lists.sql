-- Finding runs and skips. A place in a list is (time, job, key); lists go on after it.

-- name: show_run
-- ?1 partition, ?2 job, ?3 key
select l.job_id, l.run_key, l.state, l.origin, l.scheduled_for, l.decided_at, l.started_at,
  l.finished_at, l.attempt, l.fence, l.revision, l.stands_for, l.epoch, l.node, l.worker, l.result,
  l.error, l.tenant_id, l.job_name, l.job_type, l.max_attempts, l.due_at, l.lease_until, l.deadline,
  l.cancel_requested, l.reason,
  coalesce(r.payload, (select v.payload from job_revisions v
    where v.job_id = l.job_id and v.revision = l.revision))
from runs r join live_rows l using (partition, job_id, run_key)
where r.partition = ?1 and r.job_id = ?2 and r.run_key = ?3;

-- name: show_past_run
-- ?4 when it was scheduled for
select p.job_id, p.run_key, p.state, p.origin, p.scheduled_for, p.decided_at, p.started_at,
  p.finished_at, p.attempt, p.fence, p.revision, p.stands_for, p.epoch, p.node, p.worker,
  h.result, p.error, p.tenant_id, p.job_name, p.job_type, p.max_attempts, p.due_at, p.lease_until,
  p.deadline, p.cancel_requested, p.reason,
  coalesce(h.payload, (select v.payload from job_revisions v
    where v.job_id = p.job_id and v.revision = p.revision))
from history h join past_rows p using (partition, job_id, scheduled_for, run_key)
where h.partition = ?1 and h.job_id = ?2 and h.run_key = ?3 and h.scheduled_for = ?4
limit 1;

-- name: schedule_of_run
-- ?1 partition, ?2 job, ?3 key
select scheduled_for from history indexed by history_key
where partition = ?1 and job_id = ?2 and run_key = ?3 and origin <> :by_schedule
limit 1;

-- name: live_of_job
-- ?1 partition, ?2 job, ?3 from, ?4 to, ?5 time, ?6 job and ?7 key to go on after, ?8 how many
select * from (
  select * from live_rows where partition = ?1 and job_id = ?2 order by run_key desc limit 10000)
where scheduled_for >= ?3 and scheduled_for < ?4
  and (scheduled_for, job_id, run_key) < (?5, ?6, ?7)
order by scheduled_for desc, run_key desc
limit ?8;

-- name: past_of_job
select * from past_rows
where partition = ?1 and job_id = ?2 and scheduled_for >= ?3 and scheduled_for < ?4
  and scheduled_for <= ?5 and (scheduled_for, job_id, run_key) < (?5, ?6, ?7)
order by scheduled_for desc, run_key desc
limit ?8;

-- name: live_of_job_upwards
select * from (
  select * from live_rows where partition = ?1 and job_id = ?2 order by run_key desc limit 10000)
where scheduled_for >= ?3 and scheduled_for < ?4
  and (scheduled_for, job_id, run_key) > (?5, ?6, ?7)
order by scheduled_for, run_key
limit ?8;

-- name: past_of_job_upwards
select * from past_rows
where partition = ?1 and job_id = ?2 and scheduled_for >= ?3 and scheduled_for < ?4
  and scheduled_for >= ?5 and (scheduled_for, job_id, run_key) > (?5, ?6, ?7)
order by scheduled_for, run_key
limit ?8;

-- name: live_of_tenant
-- ?1 tenant, ?2 from, ?3 to, ?4 time, ?5 job and ?6 key to go on after, ?7 how many
select l.*
from runs n indexed by runs_listed
  cross join live_rows l on l.partition = n.partition and l.job_id = n.job_id
    and l.run_key = n.run_key
where n.tenant_id = ?1 and n.scheduled_for >= ?2 and n.scheduled_for < ?3
  and n.scheduled_for <= ?4 and (n.scheduled_for, n.job_id, n.run_key) < (?4, ?5, ?6)
order by n.scheduled_for desc, n.job_id desc, n.run_key desc
limit ?7;

-- name: past_of_tenant
select * from past_rows
where tenant_id = ?1 and finished_at >= ?2 and finished_at < ?3
  and finished_at <= ?4 and (finished_at, job_id, run_key) < (?4, ?5, ?6)
order by finished_at desc, job_id desc, run_key desc
limit ?7;

-- name: unhappy_of_tenant
-- ?8 state, any but succeeded
select * from past_rows
where tenant_id = ?1 and state = ?8 and state <> :succeeded and finished_at >= ?2 and finished_at < ?3
  and finished_at <= ?4 and (finished_at, job_id, run_key) < (?4, ?5, ?6)
order by finished_at desc, job_id desc, run_key desc
limit ?7;

-- name: result_of
select result from history indexed by history_job
where partition = ?1 and job_id = ?2 and run_key = ?3 and scheduled_for = ?4 and finished_at = ?5;

-- name: skips_downwards
-- Skips do not overlap, so only the last one that began before the window can reach into it.
-- ?1 partition, ?2 job, ?3 from, ?4 to, ?5 those before, ?6 how many
select job_id, first_tick, last_tick, count, reason, epoch
from skips
where partition = ?1 and job_id = ?2
  and first_tick >= coalesce((
    select max(first_tick) from skips where partition = ?1 and job_id = ?2 and first_tick < ?3), ?3)
  and first_tick < ?4 and last_tick >= ?3 and first_tick < ?5
order by first_tick desc
limit ?6;

-- name: skips_upwards
-- as above, but ?5 those after
select job_id, first_tick, last_tick, count, reason, epoch
from skips
where partition = ?1 and job_id = ?2
  and first_tick >= coalesce((
    select max(first_tick) from skips where partition = ?1 and job_id = ?2 and first_tick < ?3), ?3)
  and first_tick < ?4 and last_tick >= ?3 and first_tick > ?5
order by first_tick
limit ?6;
