-- One definition.

-- name: find_job
select * from job_rows_4 where id = $1::bigint

-- name: find_job_by_name
select * from job_rows_4 where tenant_id = $1::bigint and name = $2::text and status <> :deleted
