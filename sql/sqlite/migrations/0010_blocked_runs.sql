-- A run that waits for another one of its job is out of the claims' sight until that one makes way.
alter table runs add column blocked integer not null default 0;
drop index runs_ready;
create index runs_ready on runs (coalesce(queue, job_type), tenant_id, priority desc, due_at, exclusive)
  where state <> 1 and blocked = 0;
create index runs_blocked on runs (job_id, priority desc, due_at) where blocked = 1;
