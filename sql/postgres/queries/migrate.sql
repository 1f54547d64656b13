-- Which migrations were applied, and what every database has.

-- name: lock_migrations
select pg_advisory_xact_lock(4990126820347011)

-- name: make_migration_table
create table if not exists schema_migrations (
  number     integer primary key,
  name       text not null,
  applied_at timestamptz not null default clock_timestamp()
)

-- name: has_migrations
select to_regclass('schema_migrations') is not null

-- name: newest_migration
select coalesce(max(number), 0) from schema_migrations

-- name: record_migration
insert into schema_migrations (number, name) values ($1, $2)

-- name: seed_region
with
made as (
  insert into regions (no, name) values (0, 'default') on conflict do nothing returning no
)
insert into partitions (id, decided_through)
select slice, coalesce($1::timestamptz, clock_timestamp())
from made cross join generate_series(0, 255) as slice

-- name: seed_tenant
with
made as (
  insert into tenants (id, name, max_jobs, created_at)
  values (1, 'default', 0, coalesce($1::timestamptz, clock_timestamp()))
  on conflict do nothing
  returning id
)
select setval(pg_get_serial_sequence('tenants', 'id'), id) from made
