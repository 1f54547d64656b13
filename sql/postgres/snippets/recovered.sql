-- Jobs whose runs have just succeeded. Wants `past`, as history does.
delete from failing f
using (
  select p.partition, p.job_id from past p where p.end_state = :succeeded
) as s
where f.partition = any (array[s.partition]) and f.job_id = any (array[s.job_id])
