-- The table that finds jobs by their labels.

-- name: add_labels
-- $1 jobs, as they are now
insert into job_labels (tenant_id, label, name)
select j.tenant_id, l.key || '=' || l.value, j.name
from jobs j cross join lateral jsonb_each_text(j.labels) as l
where j.id = any ($1::bigint[])
on conflict do nothing

-- name: drop_labels
-- $1 jobs, before they change
delete from job_labels d
using jobs j cross join lateral jsonb_each_text(j.labels) as l
where j.id = any ($1::bigint[])
  and d.tenant_id = j.tenant_id and d.label = l.key || '=' || l.value and d.name = j.name
