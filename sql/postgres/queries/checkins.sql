-- Check-ins: tokens, and reports that came early.

-- name: put_checkin
-- $1 clock, $2 job, $3 digest of the token, $4 actor. No row: no such job.
insert into checkins as c (job_id, token, created_at, created_by)
select j.id, $3::text, coalesce($1::timestamptz, clock_timestamp()), $4::text
from jobs j
where j.id = $2::bigint and j.status + 0 <> :deleted
on conflict (job_id) do update
set token = excluded.token, created_at = excluded.created_at, created_by = excluded.created_by
returning c.job_id, (select j.tenant_id from jobs j where j.id = c.job_id), c.created_at, c.created_by

-- name: find_checkin
-- $1 job
select c.job_id, j.tenant_id, c.created_at, c.created_by
from checkins c
join jobs j on j.id = c.job_id
where c.job_id = $1::bigint and j.status + 0 <> :deleted

-- name: find_checkin_by_token
-- $1 its digest, $2 the token itself
select c.job_id, j.tenant_id, c.created_at, c.created_by
from checkins c
join jobs j on j.id = c.job_id
where c.token in ($1::text collate "C", $2::text collate "C") and j.status + 0 <> :deleted

-- name: digest_tokens
-- $1 clock, $2 leader, $3 how many: those that are no digest ("sha256:…"), once the leader has run for
-- a day. One that is being replaced meanwhile has a digest then, or its turn later.
with
clear as materialized (
  select c.job_id, c.token
  from checkins c
  where (c.token < 'sha256:' collate "C" or c.token >= 'sha256;' collate "C")
    and exists (
      select from nodes n
      where n.incarnation = $2::uuid
        and n.started_at <= coalesce($1::timestamptz, clock_timestamp()) - interval '1 day')
  limit $3::bigint
  for update of c skip locked
),
done as (
  update checkins c set token = 'sha256:' || encode(sha256(convert_to(o.token, 'UTF8')), 'hex')
  from clear o
  where c.job_id = o.job_id
  returning 1
)
select count(*) from done

-- name: delete_checkin
-- $1 job
delete from checkins c
where c.job_id = $1::bigint
returning (select j.tenant_id from jobs j where j.id = c.job_id)

-- name: keep_early
-- $1 clock, $2 job, $3 report. The instant of the first report stays.
update checkins c
set early_at = coalesce(c.early_at, $1::timestamptz, clock_timestamp()), early_report = $3::text
where c.job_id = $2::bigint

-- name: early_reports
-- $1 how many
select c.job_id, c.early_at, c.early_report
from checkins c
where c.early_at is not null
order by c.early_at
limit $1::bigint

-- name: drop_early
-- $1 job
update checkins c set early_at = null, early_report = null
where c.job_id = $1::bigint and c.early_at is not null
