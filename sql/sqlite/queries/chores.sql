-- Regions, tenants, and throwing away what is old. A batch of the latter is at most ?2 rows.

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

-- name: add_first_tenant
insert into tenants (id, name, max_jobs, created_at) values (1, 'default', 0, ?1)
on conflict do nothing;

-- name: put_tenant_by_name
insert into tenants (name, weight, max_in_flight, max_jobs, created_at) values (?1, ?2, ?3, ?4, ?5)
on conflict (name) do update
set weight = excluded.weight, max_in_flight = excluded.max_in_flight, max_jobs = excluded.max_jobs
returning id;

-- name: update_tenant
update tenants set name = ?2, weight = ?3, max_in_flight = ?4, max_jobs = ?5 where id = ?1;

-- name: drop_history
delete from history
where rowid in (
  select rowid from history indexed by history_end where finished_at < ?1
  order by finished_at limit ?2);

-- name: drop_attempts
delete from attempts
where rowid in (
  select rowid from attempts indexed by attempts_end where finished_at < ?1
  order by finished_at limit ?2);

-- Changes were added in the order of time, so the old ones come first.
-- name: drop_job_changes
delete from job_changes
where rowid in (select rowid from job_changes order by rowid limit ?2) and changed_at < ?1;

-- name: drop_dead_nodes
delete from nodes where lease_until < ?1;
