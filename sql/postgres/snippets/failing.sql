-- Jobs whose runs have just failed for good. Wants `clock` and `past`, as history does.
insert into failing as f (partition, job_id, tenant_id, in_a_row, since)
select p.partition, p.job_id, p.tenant_id, count(*), (select now from clock)
from past p
where p.end_state in (:run_failed, :dead, :timed_out)
  and p.job_id <> all (array(select s.job_id from past s where s.end_state = :succeeded))
group by p.partition, p.job_id, p.tenant_id
order by p.partition, p.job_id
on conflict (partition, job_id) do update set in_a_row = f.in_a_row + excluded.in_a_row
