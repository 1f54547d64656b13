-- What decides the ticks of a job, in 16 bytes (core/terms.h), so that an owner reads a partition from
-- an index alone. Null where that takes the whole definition, and for jobs of before until they are
-- next defined: those are read whole, as they were.
alter table jobs add column terms uuid;

-- Nodes of before, which still write rows of the type new_job, go on meanwhile.
create type new_job_2 as (
  id bigint, partition integer, tenant_id bigint, name text, revision integer, status smallint,
  effective_from timestamptz, job_type text,
  schedule_type smallint, cron_expression text, dialect smallint, timezone text, dst_gap smallint,
  dst_overlap smallint, every_micros bigint, run_at timestamptz, start_at timestamptz,
  end_at timestamptz, jitter_micros bigint, calendar text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer,
  live_limit integer, exclusive boolean, replaces boolean, labels jsonb, description text,
  created_at timestamptz, updated_at timestamptz, paused_by text, queue text, calendar_rules text,
  calendar_revision integer, terms uuid);

drop index jobs_partition;
create index jobs_terms on jobs (partition, id) include (effective_from, terms)
  where status = 0 and terms is not null;
create index jobs_rest on jobs (partition) where status = 1 or status = 0 and terms is null;

-- An index says nothing of rows that were not vacuumed yet. With new rows alone that is cheap: only
-- their pages are read.
alter table jobs set (
  autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
