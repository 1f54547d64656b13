-- The table that finds jobs by their labels.

-- name: add_labels
insert into job_labels (tenant_id, label, name)
select j.tenant_id, l.key || '=' || l.value, j.name
from jobs j, json_each(j.labels) l
where j.id = ?1
on conflict do nothing;

-- name: drop_labels
delete from job_labels
where (tenant_id, label, name) in (
  select j.tenant_id, l.key || '=' || l.value, j.name
  from jobs j, json_each(j.labels) l
  where j.id = ?1);
