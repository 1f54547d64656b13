-- What re-running a run and counting a tenant's jobs need.

-- The payload a run had instead of its revision's, so that it can be run again.
alter table history add column payload json;

-- A tenant may have so many jobs, deleted ones not counted; 0: no limit. The default tenant is that of
-- whoever runs the cluster.
alter table tenants add column max_jobs integer not null default 100000 check (max_jobs >= 0);
update tenants set max_jobs = 0 where id = 1;

-- How many it has. By partition, because who changes this has the partition's row locked anyway: no
-- row is hotter than those.
create table tenant_jobs (
  tenant_id bigint not null,
  partition integer not null,
  jobs      bigint not null,
  primary key (tenant_id, partition)
) with (fillfactor = 70);
insert into tenant_jobs (tenant_id, partition, jobs)
select tenant_id, partition, count(*) from jobs where status <> 4 group by tenant_id, partition;
