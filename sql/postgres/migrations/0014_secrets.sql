-- Secrets that jobs name (`secret_ref`), sealed (service/secrets).
create table secrets (
  tenant_id  bigint not null references tenants (id),
  name       text collate "C" not null,
  sealed     text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (tenant_id, name)
);

-- The keys, by their ids, that something in this database may be sealed with: a node that lacks one
-- does not start.
create table seal_keys (
  id       text collate "C" primary key,
  noted_at timestamptz not null
);

-- The chain over the audit: each hash covers the row and the hash before it. A table of its own, so
-- that rows of the audit are never updated.
create table audit_links (
  position bigint primary key,
  seq      bigint not null,
  previous text not null,
  hash     text not null
);
create unique index audit_links_seq on audit_links (seq);
