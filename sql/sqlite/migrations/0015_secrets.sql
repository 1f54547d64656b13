-- Secrets that jobs name (`secret_ref`), sealed (service/secrets).
create table secrets (
  tenant_id  integer not null references tenants (id),
  name       text not null,
  sealed     text not null,
  created_at integer not null,
  updated_at integer not null,
  updated_by text not null,
  primary key (tenant_id, name)
) strict, without rowid;

-- The keys, by their ids, that something in this database may be sealed with: a node that lacks one
-- does not start.
create table seal_keys (
  id       text primary key,
  noted_at integer not null
) strict, without rowid;

-- The chain over the audit: each hash covers the row and the hash before it. A table of its own, so
-- that rows of the audit are never updated.
create table audit_links (
  position integer primary key,
  seq      integer not null,
  previous text not null,
  hash     text not null
) strict;
create unique index audit_links_seq on audit_links (seq);
