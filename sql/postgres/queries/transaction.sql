-- Transactions, sessions and the schema's own versions.

-- name: begin
-- {0}: milliseconds. Whoever freezes in a transaction must not keep its locks.
begin isolation level read committed;
set local statement_timeout = {0};
set local idle_in_transaction_session_timeout = {0}

-- name: commit
commit

-- name: rollback
rollback

-- name: set_up_session
-- For connections that are ours alone. All statements are short and find their rows by index; a plan
-- that is kept must not depend on the table having been empty when it was made. A batch of the largest
-- size stays in memory: by default its rows would take the detour over a file.
select set_config('statement_timeout', $1::text, false),
  set_config('idle_in_transaction_session_timeout', $1::text, false),
  set_config('jit', 'off', false),
  set_config('work_mem', '64MB', false),
  set_config('enable_seqscan', 'off', false),
  set_config('enable_bitmapscan', 'off', false),
  set_config('plan_cache_mode', 'force_generic_plan', false)

-- name: listen_for_hints
listen belfry_hints

-- name: send_hints
select pg_notify('belfry_hints', $1::text)

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
