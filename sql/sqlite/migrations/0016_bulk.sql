-- Work on many jobs or runs at once, done in the background by the process that holds its lease.
create table bulk_work (
  id          integer primary key autoincrement,
  tenant_id   integer not null references tenants (id),
  object      text not null,
  action      text not null,
  selector    text not null,
  arguments   text not null,
  note        text not null,
  actor       text not null,
  request_id  text not null,
  key_id      text not null,
  address     text not null,
  request_key text,
  state       integer not null default 0,
  cursor      text not null default '',
  total       integer not null,
  exact       integer not null,
  done        integer not null default 0,
  skipped     integer not null default 0,
  failed      integer not null default 0,
  error       text not null default '',
  owner       blob,
  lease_until integer,
  created_at  integer not null,
  finished_at integer
) strict;
create index bulk_work_tenant on bulk_work (tenant_id, id);
create index bulk_work_open on bulk_work (id) where state = 0;
create unique index bulk_work_request on bulk_work (tenant_id, request_key) where request_key is not null;
