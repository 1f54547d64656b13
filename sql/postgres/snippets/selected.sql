-- Names that a selector's walk looks at, and whether each matches. $1 clock, $2 tenant, $3 the name to
-- go on after, $4 how many names, $5 their beginning, $6 a part of them in small letters, $7 status,
-- $8 type, $9 whether failing ones only, $10 terms of labels, $11 not jobs made after this.
seen as materialized (
  select j.id, j.name,
    position($6::text in lower(j.name)) > 0
      and ($7::smallint is null or $7 = case
        when j.status = :paused and j.paused_until <= coalesce($1::timestamptz, clock_timestamp())
          then :active
        else j.status end)
      and j.job_type = coalesce($8::text, j.job_type)
      and (not $9::boolean or (
        select count(*) from failing f where f.partition = j.partition and f.job_id = j.id) > 0)
      and not exists (
        select from jsonb_to_recordset($10::text::jsonb) as t (name text, negated boolean, among jsonb)
        where coalesce(t.among ? (j.labels ->> t.name), false) = t.negated)
      and j.created_at <= coalesce($11::timestamptz, j.created_at) as matches
  from jobs j
  where j.tenant_id = $2::bigint and j.status <> :deleted and j.name > $3::text
    and j.name >= $5::text collate "C" and j.name < $5 || chr(1114111) collate "C"
  order by j.name
  limit $4::bigint
)
