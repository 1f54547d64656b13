-- Jobs that bulk work selects and changes.

-- name: selected_jobs
-- Names that a selector's walk looks at, and whether each matches. ?1 now, ?2 tenant, ?3 the name to go
-- on after, ?4 how many names, ?5 their beginning, ?6 a part of them in small letters, ?7 status,
-- ?8 type, ?9 whether failing ones only, ?10 terms of labels, ?11 not jobs made after this.
select j.id, j.name,
  instr(lower(j.name), ?6) > 0
    and (?7 is null or ?7 = iif(j.status = :paused and j.paused_until <= ?1, :active, j.status))
    and j.job_type = coalesce(?8, j.job_type)
    and (not ?9 or exists (select 1 from failing f where f.job_id = j.id))
    and not exists (
      select 1
      from json_each(?10) as t
      where json_extract(t.value, '$.negated') = exists (
        select 1
        from json_each(j.labels) as l
        join json_each(t.value, '$.among') as a on a.value = l.value
        where l.key = json_extract(t.value, '$.name')))
    and j.created_at <= coalesce(?11, j.created_at)
from jobs j
where j.tenant_id = ?2 and j.status <> :deleted and j.name > ?3
  and j.name >= ?5 and j.name < ?5 || char(1114111)
order by j.name
limit ?4;
