-- Finding runs and skips. A place in a list is (time, job, key); lists go on after $4, $5, $6.

-- name: show_run
-- $1 job, $2 key; the columns of live_rows_2 and past_rows_2, but with the result, and the payload
select r.job_id, r.run_key, r.state, r.origin, r.scheduled_for, r.decided_at, r.started_at,
  null::timestamptz, r.attempt, r.fence, r.revision, r.stands_for, r.epoch, r.node, r.worker,
  null::text, '', r.tenant_id, (select j.name from jobs j where j.id = r.job_id), r.job_type,
  r.max_attempts, r.due_at, r.lease_until, r.deadline, r.cancel_requested, 0::smallint,
  coalesce(r.payload::text, (select v.payload::text from job_revisions v
    where v.job_id = r.job_id and v.revision = r.revision))
from runs r
where r.partition = ($1::bigint & 65535)::integer and r.job_id = $1 and r.run_key = $2::bigint

-- name: show_past_run
-- $1 job, $2 key
select h.job_id, h.run_key, h.state, h.origin, h.scheduled_for, h.decided_at, h.started_at,
  h.finished_at, h.attempt, h.fence, h.revision, h.stands_for, h.epoch, h.node, h.worker,
  h.result::text, h.error, h.tenant_id, (select j.name from jobs j where j.id = h.job_id),
  h.job_type, v.max_attempts, null::timestamptz, null::timestamptz, null::timestamptz, false,
  h.reason, coalesce(h.payload, v.payload)::text
from (
  -- include: past_run, job = $1::bigint, key = $2::bigint, since = timestamptz '-infinity'
) as h
left join lateral (
  select v.max_attempts, v.payload from job_revisions v
  where v.job_id = h.job_id and v.revision = h.revision offset 0) as v on true

-- name: live_of_job
-- $1 job, $2 from, $3 to, $7 how many; of the newest 10,000
select l.*
from (
  select r.* from live_rows_2 r
  where r.partition = ($1::bigint & 65535)::integer and r.job_id = $1
  order by r.run_key desc
  limit 10000
) as l
where l.scheduled_for >= $2::timestamptz and l.scheduled_for < $3::timestamptz
  and (l.scheduled_for, l.job_id, l.run_key) < ($4::timestamptz, $5::bigint, $6::bigint)
order by l.scheduled_for desc, l.job_id desc, l.run_key desc
limit $7::bigint

-- name: past_of_job
select h.* from past_rows_2 h
where h.partition = ($1::bigint & 65535)::integer and h.job_id = $1
  and h.scheduled_for >= $2::timestamptz and h.scheduled_for < $3::timestamptz
  and h.scheduled_for <= $4::timestamptz
  and (h.scheduled_for, h.job_id, h.run_key) < ($4, $5::bigint, $6::bigint)
order by h.scheduled_for desc, h.job_id desc, h.run_key desc
limit $7::bigint

-- name: live_of_job_upwards
select l.*
from (
  select r.* from live_rows_2 r
  where r.partition = ($1::bigint & 65535)::integer and r.job_id = $1
  order by r.run_key desc
  limit 10000
) as l
where l.scheduled_for >= $2::timestamptz and l.scheduled_for < $3::timestamptz
  and (l.scheduled_for, l.job_id, l.run_key) > ($4::timestamptz, $5::bigint, $6::bigint)
order by l.scheduled_for, l.job_id, l.run_key
limit $7::bigint

-- name: past_of_job_upwards
select h.* from past_rows_2 h
where h.partition = ($1::bigint & 65535)::integer and h.job_id = $1
  and h.scheduled_for >= $2::timestamptz and h.scheduled_for < $3::timestamptz
  and h.scheduled_for >= $4::timestamptz
  and (h.scheduled_for, h.job_id, h.run_key) > ($4, $5::bigint, $6::bigint)
order by h.scheduled_for, h.job_id, h.run_key
limit $7::bigint

-- name: live_of_tenant
-- $1 tenant
select l.*
from live_rows_2 l
where l.tenant_id = $1::bigint
  and l.scheduled_for >= $2::timestamptz and l.scheduled_for < $3::timestamptz
  and l.scheduled_for <= $4::timestamptz
  and (l.scheduled_for, l.job_id, l.run_key) < ($4, $5::bigint, $6::bigint)
order by l.scheduled_for desc, l.job_id desc, l.run_key desc
limit $7::bigint

-- name: past_of_tenant
-- $1 tenant
select h.* from past_rows_2 h
where h.tenant_id = $1::bigint
  and h.finished_at >= $2::timestamptz and h.finished_at < $3::timestamptz
  and h.finished_at <= $4::timestamptz
  and (h.finished_at, h.job_id, h.run_key) < ($4, $5::bigint, $6::bigint)
order by h.finished_at desc, h.job_id desc, h.run_key desc
limit $7::bigint

-- name: unhappy_of_tenant
-- $1 tenant, $8 state, any but succeeded
select h.* from past_rows_2 h
where h.tenant_id = $1::bigint and h.state = $8::smallint and h.state <> :succeeded
  and h.finished_at >= $2::timestamptz and h.finished_at < $3::timestamptz
  and h.finished_at <= $4::timestamptz
  and (h.finished_at, h.job_id, h.run_key) < ($4, $5::bigint, $6::bigint)
order by h.finished_at desc, h.job_id desc, h.run_key desc
limit $7::bigint

-- name: results_of
-- $1 jobs, $2 keys, $3 scheduled_for, $4 finished_at, in step
select r.place, h.result::text
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[])
  with ordinality as r (job_id, run_key, scheduled_for, finished_at, place)
cross join lateral (
  select h.result from history h
  where h.partition = (r.job_id & 65535)::integer and h.job_id = r.job_id
    and h.scheduled_for = r.scheduled_for and h.run_key = r.run_key
    and h.finished_at = r.finished_at
  limit 1
) as h
where h.result is not null

-- name: skips_downwards
-- $1 job, $2 from, $3 to, $4 those before, $5 how many. Skips do not overlap, so only the last one
-- that began before the window can reach into it.
select s.job_id, s.first_tick, s.last_tick, s.count, s.reason, s.epoch
from skips s
where s.partition = ($1::bigint & 65535)::integer and s.job_id = $1
  and s.first_tick >= coalesce((
    select b.first_tick from skips b
    where b.partition = ($1 & 65535)::integer and b.job_id = $1 and b.first_tick < $2::timestamptz
    order by b.first_tick desc
    limit 1), $2)
  and s.first_tick < $3::timestamptz and s.last_tick >= $2 and s.first_tick < $4::timestamptz
order by s.first_tick desc
limit $5::bigint

-- name: skips_upwards
-- as above, but $4 those after
select s.job_id, s.first_tick, s.last_tick, s.count, s.reason, s.epoch
from skips s
where s.partition = ($1::bigint & 65535)::integer and s.job_id = $1
  and s.first_tick >= coalesce((
    select b.first_tick from skips b
    where b.partition = ($1 & 65535)::integer and b.job_id = $1 and b.first_tick < $2::timestamptz
    order by b.first_tick desc
    limit 1), $2)
  and s.first_tick < $3::timestamptz and s.last_tick >= $2 and s.first_tick > $4::timestamptz
order by s.first_tick
limit $5::bigint
