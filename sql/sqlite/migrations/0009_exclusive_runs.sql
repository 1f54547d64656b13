-- Claims pass over runs that wait for another one of their job: the index alone shows which may have to.
drop index runs_ready;
create index runs_ready on runs (coalesce(queue, job_type), tenant_id, priority desc, due_at, exclusive)
  where state <> 1;
