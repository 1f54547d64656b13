-- What nodes say of themselves and of their jobs, for whoever looks at all of them.

-- name: note_clock_offset
-- ?1 node, ?2 offset in microseconds
update nodes set clock_offset = ?2 where incarnation = ?1;

-- name: broken_schedules_of
-- ?1 node: those of the partitions that it owns
select b.job_id from broken_schedules b
join partitions p on p.id = b.job_id & 65535
where p.owner = ?1;

-- name: forget_broken_schedule
delete from broken_schedules where job_id = ?1;

-- name: note_broken_schedule
-- ?1 clock, ?2 node, ?3 job, ?4 why
insert into broken_schedules (job_id, reason, since)
select ?3, ?4, ?1
where exists (select 1 from partitions p where p.id = ?3 & 65535 and p.owner = ?2)
on conflict (job_id) do update set reason = excluded.reason;
