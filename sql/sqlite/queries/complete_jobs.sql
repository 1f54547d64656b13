-- Definitions without a tick left.

-- name: complete_job
-- A pause that is over does not count.
update jobs
set status = :completed, paused_until = null, paused_by = '', pause_note = '', updated_at = ?2
where id = ?1 and (status = :active or (status = :paused and paused_until <= ?2))
returning tenant_id, revision;
