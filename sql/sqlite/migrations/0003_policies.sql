-- What re-running a run and counting a tenant's jobs need. Same as sql/postgres.

-- The payload a run had instead of its revision's, so that it can be run again.
alter table history add column payload text;
