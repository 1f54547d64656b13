-- Which migrations were applied, and what every database has.

-- name: make_migration_table
create table if not exists schema_migrations (
  number     integer primary key,
  name       text not null,
  applied_at integer not null
) strict;

-- name: has_migrations
select exists (select 1 from sqlite_master where name = 'schema_migrations');

-- name: newest_migration
select coalesce(max(number), 0) from schema_migrations;

-- name: record_migration
insert into schema_migrations (number, name, applied_at) values (?1, ?2, ?3);

-- name: seed_tenant
insert into tenants (id, name, max_jobs, created_at) values (1, 'default', 0, ?1)
on conflict do nothing;
