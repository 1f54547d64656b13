select j.id, j.name, j.partition, j.status, j.paused_until, j.job_type, j.labels, j.created_at
from jobs j
where j.tenant_id = $2::bigint and j.status <> :deleted and j.name > $3::text
  and j.name >= $5::text collate "C" and j.name < $5 || chr(1114111) collate "C"
order by j.name
limit $4::bigint
