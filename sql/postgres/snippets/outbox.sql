-- What changed, for whoever watches: one row for each tenant, which names some of it. Wants `clock` and
-- `changed (tenant_id, id, number, state)`: a job, its revision and its status; or of a run its job, its
-- key and its state. Arrays are cut before texts are made of them: there may be thousands.
insert into outbox (at, tenant_id, kind, count, news)
select (select now from clock), t.tenant_id, {kind}, t.count, n.news
from (
  select c.tenant_id, count(*) as count, (array_agg(c.id))[1:20] as ids,
    (array_agg(c.number))[1:20] as numbers, (array_agg(c.state))[1:20] as states
  from changed c
  group by c.tenant_id
) as t
cross join lateral (
  select string_agg(u.id || ':' || u.number || ':' || u.state, ' ') as news
  from unnest(t.ids, t.numbers, t.states) as u (id, number, state)
) as n
