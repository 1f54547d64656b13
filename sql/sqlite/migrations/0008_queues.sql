-- Where a run waits to be claimed: with the workers of its job type, or, if its target is something
-- else, in a queue of its own kind (core/queue.h). Most jobs are for workers: null, which takes no room.
alter table jobs add column queue text;
alter table runs add column queue text;

update jobs
set queue = (
  select case v.target ->> 'kind' when 'HTTP' then 'HTTP *' when 'EXEC' then 'EXEC ' || jobs.job_type
    when 'TOPIC' then 'TOPIC ' || (v.target ->> 'broker') end
  from job_revisions v
  where v.job_id = jobs.id and v.revision = jobs.revision and json_valid(v.target));

update runs
set queue = (
  select case v.target ->> 'kind' when 'HTTP' then 'HTTP *' when 'EXEC' then 'EXEC ' || runs.job_type
    when 'TOPIC' then 'TOPIC ' || (v.target ->> 'broker') end
  from job_revisions v
  where v.job_id = runs.job_id and v.revision = runs.revision and json_valid(v.target));

drop index runs_ready;
create index runs_ready on runs (coalesce(queue, job_type), tenant_id, priority desc, due_at)
  where state <> 1;
