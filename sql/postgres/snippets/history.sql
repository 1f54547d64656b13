-- Runs that are over. Wants `clock` and `past`: rows of `runs`, with `end_state`, `end_result`,
-- `end_error` and `end_reason` beside them.
insert into history (partition, job_id, run_key, tenant_id, job_type, revision, origin, state,
  scheduled_for, decided_at, started_at, finished_at, stands_for, attempt, fence, worker, epoch,
  node, result, error, payload, reason)
select p.partition, p.job_id, p.run_key, p.tenant_id, p.job_type, p.revision, p.origin, p.end_state,
  p.scheduled_for, p.decided_at, p.started_at, (select now from clock), p.stands_for, p.attempt,
  p.fence, p.worker, p.epoch, p.node, p.end_result, p.end_error, p.payload,
  p.end_reason
from past p
