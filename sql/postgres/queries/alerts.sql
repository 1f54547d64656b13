-- Rules of alerts, silences, and what is wrong. $1 clock where a query needs one.

-- name: put_alert_rule
-- $2 tenant, $3 name, $4 definition, $5 who
insert into alert_rules (tenant_id, name, definition, created_at, updated_at, updated_by)
select $2::bigint, $3::text, $4::json, c.now, c.now, $5::text
from (select coalesce($1::timestamptz, clock_timestamp()) as now) as c
on conflict (tenant_id, name) do update
set definition = excluded.definition, updated_at = excluded.updated_at, updated_by = excluded.updated_by
returning tenant_id, name, definition::text, created_at, updated_at, updated_by

-- name: alert_rule_before
-- $1 tenant, $2 name: as it is before it is put
select tenant_id, name, definition::text, created_at, updated_at, updated_by
from alert_rules where tenant_id = $1::bigint and name = $2::text
for no key update

-- name: find_alert_rule
select tenant_id, name, definition::text, created_at, updated_at, updated_by
from alert_rules where tenant_id = $1::bigint and name = $2::text

-- name: list_alert_rules
-- $1 tenant, $2 after, $3 how many
select tenant_id, name, definition::text, created_at, updated_at, updated_by
from alert_rules where tenant_id = $1::bigint and name > $2::text
order by name
limit $3::bigint

-- name: all_alert_rules
select tenant_id, name, definition::text, created_at, updated_at, updated_by
from alert_rules order by tenant_id, name

-- name: delete_alert_rule
delete from alert_rules where tenant_id = $1::bigint and name = $2::text
returning tenant_id, name, definition::text, created_at, updated_at, updated_by

-- name: end_alerts_of_rule
-- $2 tenant, $3 rule
update alerts
set resolved_at = coalesce(resolved_at, $1::timestamptz, clock_timestamp()),
  opened_notice = coalesce(opened_notice, 0), resolved_notice = coalesce(resolved_notice, 0)
where tenant_id = $2::bigint and rule = $3::text and (resolved_at is null or resolved_notice is null)

-- name: put_alert_silence
-- $2 tenant, $3 definition, $4 how long in microseconds, $5 who
insert into alert_silences (tenant_id, definition, until, created_at, created_by)
select $2::bigint, $3::json, c.now + $4::bigint * interval '1 microsecond', c.now, $5::text
from (select coalesce($1::timestamptz, clock_timestamp()) as now) as c
returning id, tenant_id, definition::text, until, created_at, created_by

-- name: list_alert_silences
-- $2 tenant
select id, tenant_id, definition::text, until, created_at, created_by
from alert_silences
where tenant_id = $2::bigint and until > coalesce($1::timestamptz, clock_timestamp())
order by id
limit 1000

-- name: all_alert_silences
select id, tenant_id, definition::text, until, created_at, created_by
from alert_silences where until > coalesce($1::timestamptz, clock_timestamp())
order by id

-- name: delete_alert_silence
delete from alert_silences where tenant_id = $1::bigint and id = $2::bigint
returning id, tenant_id, definition::text, until, created_at, created_by

-- name: list_alerts
-- $1 tenant, $2 whether open ones only, $3 before, $4 how many
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts
where tenant_id = $1::bigint and id < $3::bigint and (not $2::boolean or resolved_at is null)
order by id desc
limit $4::bigint

-- name: begin_alert_look
select look, coalesce($1::timestamptz, clock_timestamp()), looked_at from alert_looks

-- name: unsettled_alerts
-- open ones, and those of which nobody was told
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts where resolved_at is null
union all
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts
where resolved_at is not null
  and (opened_notice is null or (resolved_at is not null and resolved_notice is null))
order by id

-- name: end_alert_look
-- $2 its number. No row: another one was ended since.
update alert_looks set look = look + 1, looked_at = coalesce($1::timestamptz, clock_timestamp())
where look = $2::bigint
returning look

-- name: open_alert
-- $2 tenant, $3 rule, $4 subject, $5 job, $6 sentence, $7 whether nobody is told yet
insert into alerts (tenant_id, rule, subject, job_id, sentence, opened_at, quiet)
values ($2::bigint, $3::text, $4::text, $5::bigint, $6::text,
  coalesce($1::timestamptz, clock_timestamp()), $7::boolean)
on conflict do nothing

-- name: end_alert
-- $2 alert, $3 whether nobody is to be told, $4 nor of its beginning, if nobody was
update alerts
set resolved_at = coalesce($1::timestamptz, clock_timestamp()),
  resolved_notice = case when $3::boolean then 0 end,
  opened_notice = case when $4::boolean then coalesce(opened_notice, 0) else opened_notice end
where id = $2::bigint and resolved_at is null

-- name: unhush_alerts
-- $1 alerts: what kept them quiet is over
update alerts set quiet = false where id = any ($1::bigint[]) and quiet

-- name: tell_opened
-- $1 alerts, $2 look
update alerts set opened_notice = $2::bigint where id = any ($1::bigint[]) and opened_notice is null

-- name: tell_ended
update alerts set resolved_notice = $2::bigint where id = any ($1::bigint[]) and resolved_notice is null

-- name: prune_alerts
-- $2 retention in microseconds
delete from alerts
where resolved_at < coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond'

-- name: prune_alert_messages
delete from alert_messages
where finished_at < coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond'

-- name: prune_alert_silences
delete from alert_silences
where until < coalesce($1::timestamptz, clock_timestamp()) - $2::bigint * interval '1 microsecond'
