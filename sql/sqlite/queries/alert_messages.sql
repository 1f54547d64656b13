-- Messages of alerts, from the decision to their receivers.

-- name: put_alert_message
-- ?1 clock, ?2 tenant, ?3 rule, ?4 notice, ?5 receiver, ?6 queue, ?7 target, ?8 body
insert into alert_messages (tenant_id, rule, notice, receiver, queue, target, body, state, attempt,
  fence, created_at, due_at, error)
select ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, 0, c.now,
  c.now, ''
from (select ?1 as now) as c
returning id;

-- name: next_test_notice
-- ?1 tenant, ?2 rule: tests count downwards from -1
select coalesce(min(notice), 0) - 1 from alert_messages
where tenant_id = ?1 and rule = ?2 and notice < 0;

-- name: claim_alert_messages
-- ?1 clock, ?2 queue, ?3 how many, ?4 lease in microseconds. Tenants take turns: one with many that
-- nobody takes does not delay the others'.
update alert_messages
set attempt = attempt + 1, fence = fence + 1, due_at = ?1 + ?4
where id in (
  select d.id from (
    select m.id, m.due_at, row_number() over (partition by m.tenant_id order by m.due_at) as turn
    from alert_messages m
    where m.state = :message_waits and m.queue = ?2 and m.due_at <= ?1) as d
  order by d.turn, d.due_at
  limit ?3)
returning id, tenant_id, rule, notice, state, attempt, fence, created_at, due_at, finished_at, error,
  target, body;

-- name: end_alert_message
-- ?1 clock, ?2 message, ?3 fence, ?4 state, ?5 error, ?6 wait in microseconds, ?7 whether it was no attempt
update alert_messages
set state = ?4, error = ?5, fence = fence + 1,
  attempt = attempt - case when ?7 then 1 else 0 end,
  due_at = case when ?6 is null then due_at
    else ?1 + ?6 end,
  finished_at = case when ?6 is null then ?1 end
where id = ?2 and fence = ?3 and state = :message_waits
returning id;

-- name: hold_alert_message
-- ?1 clock, ?2 message, ?3 fence, ?4 lease in microseconds
update alert_messages
set due_at = ?1 + ?4
where id = ?2 and fence = ?3 and state = :message_waits
returning id;

-- name: list_alert_messages
-- ?1 tenant, ?2 whether failed ones only, ?3 how many
select id, tenant_id, rule, notice, state, attempt, fence, created_at, due_at, finished_at, error,
  target, '' as body
from alert_messages
where tenant_id = ?1 and (not ?2 or error <> '')
order by id desc
limit ?3;

-- name: undelivered_alerts
-- ?2 how long one may take, ?3 for how long one that was given up counts, both in microseconds. One that
-- was given up counts no more once its rule was changed, or its receiver took a later message.
with
undelivered as (
  select m.id, m.tenant_id, m.rule, m.state, m.created_at, m.error
  from alert_messages m indexed by alert_messages_due
  where m.state = :message_waits and m.created_at <= ?1 - ?2
  union all
  select m.id, m.tenant_id, m.rule, m.state, m.created_at, m.error
  from alert_messages m indexed by alert_messages_failed
  where m.state = :message_failed and m.finished_at > ?1 - ?3
    and exists (
      select 1 from alert_rules r
      where r.tenant_id = m.tenant_id and r.name = m.rule and r.updated_at <= m.created_at)
    and not exists (
      select 1 from alert_messages s
      where s.tenant_id = m.tenant_id and s.rule = m.rule and s.receiver = m.receiver and s.state = :message_sent
        and s.id > m.id)
)
select g.tenant_id, g.rule, g.messages, g.given_up, g.since, coalesce(m.error, '')
from (
  select u.tenant_id, u.rule, count(*) as messages, sum(u.state = :message_failed) as given_up,
    min(u.created_at) as since, max(iif(u.error <> '', u.id, null)) as tried
  from undelivered u
  group by u.tenant_id, u.rule
  order by min(u.created_at)
  limit 100
) as g
left join alert_messages m on m.id = g.tried
order by g.since, g.tenant_id, g.rule;
