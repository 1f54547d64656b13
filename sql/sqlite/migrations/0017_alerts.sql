-- Rules that watch jobs (core/alerts), as their owners wrote them; the receivers' secrets are sealed.
create table alert_rules (
  tenant_id  integer not null references tenants (id),
  name       text not null,
  definition text not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by text not null,
  primary key (tenant_id, name)
) strict, without rowid;

-- Hours in which rules keep quiet.
create table alert_silences (
  id         integer primary key autoincrement,
  tenant_id  integer not null references tenants (id),
  definition text not null,
  until      integer not null,
  created_at integer not null,
  created_by text not null
) strict;
create index alert_silences_tenant on alert_silences (tenant_id, id);

-- The one row is the fence of whoever looks: who ends a look must have begun it.
create table alert_looks (
  id        integer primary key check (id = 1),
  look      integer not null,
  looked_at integer not null
) strict;
insert into alert_looks (id, look, looked_at) values (1, 0, 0);

-- What is or was wrong, by rule and subject. A notice is the look whose messages tell of it: null as
-- long as nobody was told, 0 if nobody is to be.
create table alerts (
  id              integer primary key autoincrement,
  tenant_id       integer not null,
  rule            text not null,
  subject         text not null,
  job_id          integer,
  sentence        text not null,
  opened_at       integer not null,
  resolved_at     integer,
  opened_notice   integer,
  resolved_notice integer
) strict;
create unique index alerts_open on alerts (tenant_id, rule, subject) where resolved_at is null;
create index alerts_untold on alerts (id)
  where opened_notice is null or (resolved_at is not null and resolved_notice is null);
create index alerts_listed on alerts (tenant_id, id);
create index alerts_age on alerts (resolved_at) where resolved_at is not null;

-- What receivers are to be told, in the transaction that decides it. Each waits until it is due, is
-- held under a fence for the length of a lease, and ends as sent or failed.
create table alert_messages (
  id          integer primary key autoincrement,
  tenant_id   integer not null,
  rule        text not null,
  notice      integer not null,
  receiver    integer not null,
  queue       text not null,
  target      text not null,
  body        text not null,
  state       integer not null,
  attempt     integer not null,
  fence       integer not null,
  created_at  integer not null,
  due_at      integer not null,
  finished_at integer,
  error       text not null,
  unique (tenant_id, rule, notice, receiver)
) strict;
create index alert_messages_due on alert_messages (queue, due_at) where state = 0;
create index alert_messages_listed on alert_messages (tenant_id, id);
create index alert_messages_failed on alert_messages (tenant_id) where state = 2;
create index alert_messages_age on alert_messages (finished_at) where finished_at is not null;

-- Ticks that were missed beyond what their job allows.
create index skips_missed on skips (decided_at) where reason in (5, 8);
