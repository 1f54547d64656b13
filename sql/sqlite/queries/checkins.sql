-- Check-ins: tokens, and reports that came early. ?1 job.

-- name: put_checkin
-- ?2 digest of the token, ?3 now, ?4 actor
insert into checkins (job_id, token, created_at, created_by)
select id, ?2, ?3, ?4 from jobs where id = ?1 and status <> :deleted
on conflict (job_id) do update
set token = excluded.token, created_at = excluded.created_at, created_by = excluded.created_by;

-- name: find_checkin
select c.job_id, j.tenant_id, c.created_at, c.created_by
from checkins c cross join jobs j on j.id = c.job_id
where c.job_id = ?1 and j.status <> :deleted;

-- name: find_checkin_by_token
-- ?1 its digest, ?2 the token itself
select c.job_id, j.tenant_id, c.created_at, c.created_by
from checkins c cross join jobs j on j.id = c.job_id
where c.token in (?1, ?2) and j.status <> :deleted;

-- name: tokens_in_the_clear
-- ?1 how many. All that is no digest ("sha256:…").
select job_id, token from checkins
where token < 'sha256:' or token >= 'sha256;'
limit ?1;

-- name: digest_token
-- ?2 digest
update checkins set token = ?2 where job_id = ?1;

-- name: delete_checkin
delete from checkins where job_id = ?1;

-- name: keep_early
-- ?2 report, ?3 now. The instant of the first report stays.
update checkins set early_at = coalesce(early_at, ?3), early_report = ?2 where job_id = ?1;

-- name: early_reports
-- ?1 how many
select job_id, early_at, early_report from checkins
where early_at is not null
order by early_at
limit ?1;

-- name: drop_early
update checkins set early_at = null, early_report = null where job_id = ?1 and early_at is not null;
