-- How a session is set up, and how a transaction begins and ends.

-- name: set_up_session
pragma journal_mode = wal;
pragma synchronous = full;
pragma foreign_keys = on;
pragma temp_store = memory;
pragma cache_size = -65536;  -- KiB
pragma journal_size_limit = 67108864;
pragma wal_autocheckpoint = 8192;  -- pages: a busy store would else write all pages twice at each commit
pragma secure_delete = off;   -- Debian turns it on: it writes zeros over everything deleted

-- name: begin_read
begin;

-- name: begin_write
begin immediate;

-- name: commit
commit;

-- name: rollback
rollback;
