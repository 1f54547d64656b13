-- Rows on their way into tables of the same columns (change_jobs.sql), in the order of COPY: one array
-- of these costs a tenth of one array for each column.
create type new_job as (
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
  calendar_revision integer);
create type new_revision as (
  job_id bigint, revision integer, effective_from timestamptz, status smallint, job_type text,
  schedule json, target json, payload json, created_at timestamptz, name text,
  overlap smallint, max_concurrent integer, misfire smallint, misfire_grace bigint,
  max_missed_firings integer, max_attempts integer, retry_base bigint, retry_cap bigint,
  timeout bigint, priority integer, calendar_rules text);
create type new_label as (tenant_id bigint, label text, name text);
create type new_audit as (
  at timestamptz, tenant_id bigint, actor text, action text, object text, detail jsonb);
