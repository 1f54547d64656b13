position($6::text in lower(j.name)) > 0
  and j.job_type = coalesce($8::text, j.job_type)
  and ($7::smallint is null or $7 = case
    when j.status = :paused and j.paused_until <= coalesce($1::timestamptz, clock_timestamp())
      then :active
    else j.status end)
  and j.created_at <= coalesce($11::timestamptz, j.created_at)
  and ($10::text = '[]' or not exists (
    select from jsonb_to_recordset($10::jsonb) as t (name text, negated boolean, among jsonb)
    where coalesce(t.among ? (j.labels ->> t.name), false) = t.negated))
  and (not $9::boolean or (
    select count(*) from failing f where f.partition = j.partition and f.job_id = j.id) > 0)
