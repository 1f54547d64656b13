-- How a connection is set up, how a transaction begins and ends, which migrations are in.

-- name: set_up_connection
pragma journal_mode = wal;
pragma synchronous = full;
pragma foreign_keys = on;
pragma temp_store = memory;
pragma cache_size = -65536;  -- KiB
pragma journal_size_limit = 67108864;
pragma secure_delete = off;   -- Debian turns it on: it writes zeros over everything deleted

-- name: begin_read
begin;

-- name: begin_write
begin immediate;

-- name: commit
commit;

-- name: rollback
rollback;

-- name: make_schema_migrations
create table if not exists schema_migrations (
  number     integer primary key,
  name       text not null,
  applied_at integer not null
) strict;

-- name: has_migrations
select exists (select 1 from sqlite_master where name = 'schema_migrations');

-- name: newest_migration
select coalesce(max(number), 0) from schema_migrations;

-- name: add_migration
insert into schema_migrations (number, name, applied_at) values (?1, ?2, ?3);
