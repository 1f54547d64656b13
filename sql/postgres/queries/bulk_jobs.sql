-- Jobs that bulk work selects and changes.

-- name: count_selected
-- $12 how many to name
with
-- include: selected
,
counted as (
  select count(*) as names, max(s.name) as last, count(*) filter (where s.matches) as jobs from seen s
)
select c.names, c.last, c.jobs, h.id, h.name
from counted c
left join (
  select s.id, s.name from seen s where s.matches order by s.name limit $12::bigint
) as h on true
order by h.name

-- name: next_selected
-- $12 how many jobs
with
-- include: selected
,
looked as (select count(*) as names, max(s.name) as last from seen s)
select l.names, l.last, 0::bigint, h.id, h.name
from looked l
left join (
  select s.id, s.name from seen s where s.matches order by s.name limit $12::bigint
) as h on true
order by h.name

-- name: jobs_to_change
-- $1 jobs
select r.*
from unnest($1::bigint[]) as i (id)
cross join lateral (select x.* from job_rows_2 x where x.id = i.id limit 1) as r
order by r.id
