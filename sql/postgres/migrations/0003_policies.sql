-- What re-running a run and counting a tenant's jobs need.

-- The payload a run had instead of its revision's, so that it can be run again.
alter table history add column payload json;
