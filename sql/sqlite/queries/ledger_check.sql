-- How far the leader has compared the ledger with the definitions, and what it found.

-- name: ledger_check
select version, checked_through, kept_after, sealed_through, violations, pass from ledger_checks;

-- name: begin_ledger_check
-- ?1 checked through, ?2 kept after, ?3 sealed through, ?4 pass
insert into ledger_checks (id, version, checked_through, kept_after, sealed_through, violations, pass)
values (1, 1, ?1, ?2, ?3, 0, ?4)
on conflict do nothing
returning version;

-- name: move_ledger_check
-- as above, and ?5 the version it was read with
update ledger_checks
set version = version + 1, checked_through = ?1, kept_after = ?2, sealed_through = ?3, pass = ?4
where id = 1 and version = ?5
returning version;

-- name: add_ledger_flaw
-- ?1 clock, ?2 tenant, ?3 job, ?4 kind, ?5 first, ?6 last, ?7 count, ?8 revision, ?9 evidence,
-- ?10 how many there may be. No row: it is known.
insert into ledger_flaws (tenant_id, job_id, kind, first_tick, last_tick, count, revision, evidence,
  found_at)
select ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?1
where (select count(*) from ledger_flaws) < ?10
on conflict do nothing
returning id, found_at;

-- name: count_violations
update ledger_checks set violations = violations + ?1 where id = 1;

-- name: ledger_violations
-- ?1 tenant (0: all), ?2 found after, ?3 how many
select f.id, f.tenant_id, f.job_id, f.kind, f.first_tick, f.last_tick, f.count, f.revision,
  f.evidence, f.found_at, (select j.name from jobs j where j.id = f.job_id)
from ledger_flaws f
where (?1 = 0 or f.tenant_id = ?1) and f.found_at > ?2
order by f.id desc
limit ?3;

-- name: drop_tallies
delete from proof_tallies;

-- name: put_tally
insert into proof_tallies (tenant_id, tally) values (?1, ?2)
on conflict (tenant_id) do update set tally = excluded.tally;

-- name: proof_tallies
-- ?1 after this tenant, ?2 how many
select tenant_id, tally from proof_tallies where tenant_id > ?1 order by tenant_id limit ?2;

-- name: put_proof
-- ?1 clock, ?2 tenant, ?3 day, ?4 statement, ?5 digest, ?6 public key, ?7 signature
insert into proofs (tenant_id, day, statement, digest, public_key, signature, sealed_at)
values (?2, ?3, ?4, ?5, ?6, ?7, ?1);

-- name: drop_tally
delete from proof_tallies where tenant_id = ?1;

-- name: proofs
-- ?1 tenant, ?2 before, ?3 how many
select tenant_id, day, statement, digest, public_key, signature, sealed_at
from proofs
where tenant_id = ?1 and day < ?2
order by day desc
limit ?3;
