-- Rules of alerts, silences, and what is wrong. ?1 clock where a query needs one.

-- name: put_alert_rule
-- ?2 tenant, ?3 name, ?4 definition, ?5 who
insert into alert_rules (tenant_id, name, definition, created_at, updated_at, updated_by)
select ?2, ?3, ?4, c.now, c.now, ?5
from (select ?1 as now) as c
where true
on conflict (tenant_id, name) do update
set definition = excluded.definition, updated_at = excluded.updated_at, updated_by = excluded.updated_by
returning tenant_id, name, definition, created_at, updated_at, updated_by;

-- name: find_alert_rule
select tenant_id, name, definition, created_at, updated_at, updated_by
from alert_rules where tenant_id = ?1 and name = ?2;

-- name: list_alert_rules
-- ?1 tenant, ?2 after, ?3 how many
select tenant_id, name, definition, created_at, updated_at, updated_by
from alert_rules where tenant_id = ?1 and name > ?2
order by name
limit ?3;

-- name: all_alert_rules
select tenant_id, name, definition, created_at, updated_at, updated_by
from alert_rules order by tenant_id, name;

-- name: delete_alert_rule
delete from alert_rules where tenant_id = ?1 and name = ?2
returning tenant_id, name, definition, created_at, updated_at, updated_by;

-- name: end_alerts_of_rule
-- ?2 tenant, ?3 rule
update alerts
set resolved_at = coalesce(resolved_at, ?1),
  opened_notice = coalesce(opened_notice, 0), resolved_notice = coalesce(resolved_notice, 0)
where tenant_id = ?2 and rule = ?3 and (resolved_at is null or resolved_notice is null);

-- name: put_alert_silence
-- ?2 tenant, ?3 definition, ?4 how long in microseconds, ?5 who
insert into alert_silences (tenant_id, definition, until, created_at, created_by)
select ?2, ?3, c.now + ?4, c.now, ?5
from (select ?1 as now) as c
returning id, tenant_id, definition, until, created_at, created_by;

-- name: list_alert_silences
-- ?2 tenant
select id, tenant_id, definition, until, created_at, created_by
from alert_silences
where tenant_id = ?2 and until > ?1
order by id
limit 1000;

-- name: all_alert_silences
select id, tenant_id, definition, until, created_at, created_by
from alert_silences where until > ?1
order by id;

-- name: delete_alert_silence
delete from alert_silences where tenant_id = ?1 and id = ?2
returning id, tenant_id, definition, until, created_at, created_by;

-- name: list_alerts
-- ?1 tenant, ?2 whether open ones only, ?3 before, ?4 how many
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts
where tenant_id = ?1 and id < ?3 and (not ?2 or resolved_at is null)
order by id desc
limit ?4;

-- name: begin_alert_look
select look, ?1, looked_at from alert_looks;

-- name: unsettled_alerts
-- open ones, and those of which nobody was told
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts indexed by alerts_open where resolved_at is null
union all
select id, tenant_id, rule, subject, job_id, sentence, opened_at, resolved_at, opened_notice,
  resolved_notice, quiet
from alerts
where resolved_at is not null
  and (opened_notice is null or (resolved_at is not null and resolved_notice is null))
order by id;

-- name: end_alert_look
-- ?2 its number. No row: another one was ended since.
update alert_looks set look = look + 1, looked_at = ?1
where look = ?2
returning look;

-- name: open_alert
-- ?2 tenant, ?3 rule, ?4 subject, ?5 job, ?6 sentence, ?7 whether nobody is told yet
insert into alerts (tenant_id, rule, subject, job_id, sentence, opened_at, quiet)
values (?2, ?3, ?4, ?5, ?6,
  ?1, ?7)
on conflict do nothing;

-- name: end_alert
-- ?2 alert, ?3 whether nobody is to be told, ?4 nor of its beginning, if nobody was
update alerts
set resolved_at = ?1, resolved_notice = case when ?3 then 0 end,
  opened_notice = case when ?4 then coalesce(opened_notice, 0) else opened_notice end
where id = ?2 and resolved_at is null;

-- name: unhush_alerts
-- ?1 alert: what kept it quiet is over
update alerts set quiet = 0 where id = ?1;

-- name: tell_opened
-- ?1 alert, ?2 look
update alerts set opened_notice = ?2 where id = ?1 and opened_notice is null;

-- name: tell_ended
update alerts set resolved_notice = ?2 where id = ?1 and resolved_notice is null;

-- name: prune_alerts
-- ?2 retention in microseconds
delete from alerts
where resolved_at < ?1 - ?2;

-- name: prune_alert_messages
delete from alert_messages
where finished_at < ?1 - ?2;

-- name: prune_alert_silences
delete from alert_silences
where until < ?1 - ?2;
