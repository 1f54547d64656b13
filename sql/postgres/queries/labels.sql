-- The table that finds jobs by their labels.

-- name: add_labels
-- $1 jobs, as they are now
insert into job_labels (tenant_id, label, name)
select j.tenant_id, l.key || '=' || l.value, j.name
from jobs j cross join lateral jsonb_each_text(j.labels) as l
where j.id = any ($1::bigint[])
on conflict do nothing

-- name: drop_labels
-- $1 jobs, before they change. Found one by one: if joined while the table is empty, the planner would
-- read all of it ever after.
delete from job_labels d
where d.ctid = any (array(
  select x.ctid
  from jobs j
  cross join lateral jsonb_each_text(j.labels) as l
  cross join lateral (
    select e.ctid
    from job_labels e
    where e.tenant_id = j.tenant_id and e.label = (l.key || '=' || l.value) collate "C" and e.name = j.name
    limit 1
  ) as x
  where j.id = any ($1::bigint[])))
