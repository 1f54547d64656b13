-- How far the leader has compared the ledger with the definitions, and what it found.

-- name: ledger_check
select c.version, c.checked_through, c.kept_after, c.sealed_through, c.violations, c.pass
from ledger_checks c

-- name: begin_ledger_check
-- $1 checked through, $2 kept after, $3 sealed through, $4 pass
insert into ledger_checks (id, version, checked_through, kept_after, sealed_through, violations, pass)
values (1, 1, $1::timestamptz, $2::timestamptz, $3::timestamptz, 0, $4::text)
on conflict do nothing
returning version

-- name: move_ledger_check
-- as above, and $5 the version it was read with
update ledger_checks
set version = version + 1, checked_through = $1::timestamptz, kept_after = $2::timestamptz,
  sealed_through = $3::timestamptz, pass = $4::text
where id = 1 and version = $5::bigint
returning version

-- name: add_ledger_flaw
-- $1 clock, $2 tenant, $3 job, $4 kind, $5 first, $6 last, $7 count, $8 revision, $9 evidence,
-- $10 how many there may be. No row: it is known.
insert into ledger_flaws (tenant_id, job_id, kind, first_tick, last_tick, count, revision, evidence,
  found_at)
select $2::bigint, $3::bigint, $4::smallint, $5::timestamptz, $6::timestamptz, $7::bigint,
  $8::integer, $9::text, coalesce($1::timestamptz, clock_timestamp())
where (select count(*) from ledger_flaws) < $10::bigint
on conflict do nothing
returning id, found_at

-- name: count_violations
update ledger_checks set violations = violations + $1::bigint where id = 1

-- name: tell_violations
-- $1 clock, $2 tenants, $3 how many, $4 which
insert into outbox (at, tenant_id, kind, count, news)
select coalesce($1::timestamptz, clock_timestamp()), n.tenant_id, :of_violations, n.count, n.news
from unnest($2::bigint[], $3::bigint[], $4::text[]) as n (tenant_id, count, news)

-- name: ledger_violations
-- $1 tenant (0: all), $2 found after, $3 how many
select f.id, f.tenant_id, f.job_id, f.kind, f.first_tick, f.last_tick, f.count, f.revision,
  f.evidence, f.found_at, (select j.name from jobs j where j.id = f.job_id)
from ledger_flaws f
where ($1::bigint = 0 or f.tenant_id = $1) and f.found_at > $2::timestamptz
order by f.id desc
limit $3::bigint

-- name: drop_tallies
delete from proof_tallies

-- name: put_tallies
-- $1 tenants, $2 tallies
insert into proof_tallies (tenant_id, tally)
select t.tenant_id, t.tally from unnest($1::bigint[], $2::text[]) as t (tenant_id, tally)
on conflict (tenant_id) do update set tally = excluded.tally

-- name: proof_tallies
-- $1 after this tenant, $2 how many
select t.tenant_id, t.tally from proof_tallies t
where t.tenant_id > $1::bigint
order by t.tenant_id
limit $2::bigint

-- name: put_proof
-- $1 clock, $2 tenant, $3 day, $4 statement, $5 digest, $6 public key, $7 signature
insert into proofs (tenant_id, day, statement, digest, public_key, signature, sealed_at)
values ($2::bigint, $3::timestamptz, $4::text, $5::text, $6::text, $7::text,
  coalesce($1::timestamptz, clock_timestamp()))

-- name: drop_tally
delete from proof_tallies where tenant_id = $1::bigint

-- name: proofs
-- $1 tenant, $2 before, $3 how many
select p.tenant_id, p.day, p.statement, p.digest, p.public_key, p.signature, p.sealed_at
from proofs p
where p.tenant_id = $1::bigint and p.day < $2::timestamptz
order by p.day desc
limit $3::bigint
