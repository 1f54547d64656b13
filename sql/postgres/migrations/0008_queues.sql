-- Where a run waits to be claimed: with the workers of its job type, or, if its target is something
-- else, in a queue of its own kind (core/queue.h). Most jobs are for workers: null, which takes no room.
alter table jobs add column queue text;
alter table runs add column queue text;

update jobs j
set queue = case v.target ->> 'kind' when 'HTTP' then 'HTTP *' when 'EXEC' then 'EXEC ' || j.job_type
  else 'TOPIC ' || (v.target ->> 'broker') end
from job_revisions v
where v.job_id = j.id and v.revision = j.revision and v.target ->> 'kind' in ('HTTP', 'TOPIC', 'EXEC');

update runs r
set queue = case v.target ->> 'kind' when 'HTTP' then 'HTTP *' when 'EXEC' then 'EXEC ' || r.job_type
  else 'TOPIC ' || (v.target ->> 'broker') end
from job_revisions v
where v.job_id = r.job_id and v.revision = r.revision and v.target ->> 'kind' in ('HTTP', 'TOPIC', 'EXEC');

drop index runs_ready;
create index runs_ready on runs (coalesce(queue, job_type), tenant_id, priority desc, due_at)
  where state <> 1;
