-- How a session is set up, and how a transaction begins and ends.

-- name: set_up_session
-- For connections that are ours alone. All statements are short and find their rows by index; a
-- plan that is kept must not depend on the table having been empty when it was made. The largest
-- batch stays in memory: by default its rows would go through a file.
select set_config('statement_timeout', $1::text, false),
  set_config('idle_in_transaction_session_timeout', $1::text, false),
  set_config('jit', 'off', false),
  set_config('work_mem', '64MB', false),
  set_config('enable_seqscan', 'off', false),
  set_config('enable_bitmapscan', 'off', false),
  set_config('plan_cache_mode', 'force_generic_plan', false)

-- name: look_at_database
select pg_encoding_to_char(d.encoding)::text, pg_backend_pid()::bigint
from pg_database d where d.datname = current_database()

-- name: begin
-- {0}: milliseconds. A process that freezes in a transaction must not keep its locks.
begin isolation level read committed;
set local statement_timeout = {0};
set local idle_in_transaction_session_timeout = {0}

-- name: commit
commit

-- name: rollback
rollback

-- name: listen_for_hints
-- A hint need not survive a crash, so its commit waits for no disk.
set synchronous_commit = off;
listen belfry_hints

-- name: send_hints
select pg_notify('belfry_hints', $1::text)
