-- Regions, and dropping what is old, at most ?2 rows in a batch.

-- name: region_by_name
select no from regions where name = ?1;

-- name: next_region
select coalesce(max(no) + 1, 0) from regions;

-- name: add_region
insert into regions (no, name) values (?1, ?2);

-- name: add_partitions
with recursive slice (id) as (
  select ?1 union all select id + 1 from slice where id < ?2)
insert into partitions (id, decided_through) select id, ?3 from slice;

-- name: list_regions
select no, name from regions order by no;

-- name: drop_history
delete from history
where rowid in (
  select rowid from history indexed by history_end where finished_at < ?1
  order by finished_at limit ?2);

-- name: drop_attempts
delete from attempts
where (partition, job_id, run_key, fence) in (
  select partition, job_id, run_key, fence from attempts indexed by attempts_end where finished_at < ?1
  order by finished_at limit ?2);

-- name: skips_after
-- ?1 partition, ?2 job and ?3 first tick of the last one looked at, ?4 how many
select job_id, first_tick, last_tick from skips
where (partition, job_id, first_tick) > (?1, ?2, ?3)
order by partition, job_id, first_tick limit ?4;

-- name: drop_skip
delete from skips where partition = ?1 and job_id = ?2 and first_tick = ?3;

-- name: prune_changes
-- Changes are in the order of time, so the old ones come first.
delete from job_changes
where rowid in (select rowid from job_changes order by rowid limit ?2) and changed_at < ?1;

-- name: prune_nodes
delete from nodes where lease_until < ?1;

-- name: end_pauses
-- ?1 now, ?2 how many
update jobs
set status = :active, paused_until = null, paused_by = '', pause_note = ''
where id in (
  select j.id from jobs j indexed by jobs_pauses
  where j.status = :paused and j.paused_until is not null and j.paused_until <= ?1
    and j.paused_until <= (select p.decided_through from partitions p where p.id = j.partition)
  limit ?2);
