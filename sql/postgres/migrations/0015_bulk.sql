-- Work on many jobs or runs at once, done in the background by whichever node holds its lease.
create table bulk_work (
  id          bigint generated always as identity primary key,
  tenant_id   bigint not null references tenants (id),
  object      text not null,
  action      text not null,
  selector    json not null,
  arguments   json not null,
  note        text not null,
  actor       text not null,
  request_id  text not null,
  key_id      text not null,
  address     text not null,
  request_key text,
  state       smallint not null default 0,
  cursor      text collate "C" not null default '',
  total       bigint not null,
  exact       boolean not null,
  done        bigint not null default 0,
  skipped     bigint not null default 0,
  failed      bigint not null default 0,
  error       text not null default '',
  owner       uuid,
  lease_until timestamptz,
  created_at  timestamptz not null,
  finished_at timestamptz
);
create index bulk_work_tenant on bulk_work (tenant_id, id);
create index bulk_work_open on bulk_work (id) where state = 0;
create unique index bulk_work_request on bulk_work (tenant_id, request_key) where request_key is not null;
