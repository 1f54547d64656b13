-- Whose workers may have the runs of a job (core/job.h): those of its home region, or any.
alter table jobs add column run_in integer not null default 0;
alter table job_revisions add column run_in integer not null default 0;
alter table runs add column run_in integer not null default 0;

-- Until now runs went to any. Where there is more than one region, what is there already goes on like
-- that.
update jobs set run_in = 1 where (select count(*) from regions) > 1;
update job_revisions set run_in = 1 where (select count(*) from regions) > 1;
update runs set run_in = 1 where (select count(*) from regions) > 1;
