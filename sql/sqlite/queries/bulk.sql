-- Work on many jobs or runs: how far it has come, and who does it.

-- name: begin_bulk
-- No row: there is one of this request key already.
insert into bulk_work (tenant_id, object, action, selector, arguments, note, actor, request_id,
  key_id, address, request_key, total, exact, created_at)
values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
on conflict (tenant_id, request_key) where request_key is not null do nothing
returning
  -- include: bulk_row
;

-- name: repeated_bulk
-- ?1 tenant, ?2 request key
select
  -- include: bulk_row
from bulk_work
where tenant_id = ?1 and request_key = ?2;

-- name: find_bulk
select
  -- include: bulk_row
from bulk_work
where tenant_id = ?1 and id = ?2;

-- name: list_bulk
-- ?2 before, ?3 how many
select
  -- include: bulk_row
from bulk_work
where tenant_id = ?1 and id < ?2
order by id desc
limit ?3;

-- name: stop_bulk
-- ?3 now
update bulk_work
set state = :bulk_stopped, owner = null, finished_at = ?3
where tenant_id = ?1 and id = ?2 and state = :bulk_running;

-- name: take_bulk
-- ?1 now, ?2 node, ?3 when its lease ends
update bulk_work
set owner = ?2, lease_until = ?3
where id = (
  select id
  from bulk_work
  where state = :bulk_running and (owner is null or owner = ?2 or lease_until <= ?1)
  order by lease_until nulls first, id
  limit 1)
returning
  -- include: bulk_row
;

-- name: advance_bulk
-- ?1 id, ?2 node, ?3 where it was, ?4 where it is now, ?5 whether it is over, ?6 done, ?7 skipped,
-- ?8 failed, ?9 error, ?10 when the lease ends, ?11 now
update bulk_work
set cursor = ?4, state = iif(?5, :bulk_done, state), done = done + ?6, skipped = skipped + ?7,
  failed = failed + ?8, error = iif(error = '', ?9, error), lease_until = ?10,
  finished_at = iif(?5, ?11, null)
where id = ?1 and owner = ?2 and cursor = ?3 and state = :bulk_running
returning
  -- include: bulk_row
;

-- name: prune_bulk
-- ?1 before, ?2 how many to look at
delete from bulk_work
where id in (select id from bulk_work order by id limit ?2) and finished_at < ?1;
