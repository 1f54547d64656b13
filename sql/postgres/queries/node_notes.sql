-- What nodes say of themselves and of their jobs, for whoever looks at all of them.

-- name: note_clock_offset
-- $1 node, $2 offset in microseconds
update nodes set clock_offset = $2::bigint where incarnation = $1::uuid

-- name: forget_broken_schedules
-- $1 node, $2 partitions whose jobs it knows, $3 jobs of them that are broken still. Of partitions that it
-- does not own any more nothing is forgotten.
delete from broken_schedules b
using partitions p
where p.id = (b.job_id & 65535)::integer and p.id = any ($2::integer[]) and p.owner = $1::uuid
  and not b.job_id = any ($3::bigint[])

-- name: note_broken_schedules
-- $1 clock, $2 node, $3 jobs, $4 why, in step
insert into broken_schedules (job_id, reason, since)
select b.job_id, b.reason, coalesce($1::timestamptz, clock_timestamp())
from unnest($3::bigint[], $4::text[]) as b (job_id, reason)
join partitions p on p.id = (b.job_id & 65535)::integer and p.owner = $2::uuid
on conflict (job_id) do update set reason = excluded.reason
