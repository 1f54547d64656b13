#include "store/common/ledger_moved.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {
namespace {

Status move_check(const Session& session, const LedgerCheck& check) {
  const auto ignore = [](Row&) {};
  const auto moved =
      check.version == 0
          ? session.db.first(kBeginLedgerCheck, ignore, check.checked_through, check.kept_after,
                             check.sealed_through, check.pass)
          : session.db.first(kMoveLedgerCheck, ignore, check.checked_through, check.kept_after,
                             check.sealed_through, check.pass, check.version);
  if (!moved) return fail(moved.error());
  if (!*moved) return fail(ledger_moved_on());
  return {};
}

Result<std::vector<LedgerViolation>> add_flaws(const Session& session,
                                               std::span<const LedgerViolation> found) {
  std::vector<LedgerViolation> news;
  for (const LedgerViolation& each : found) {
    const core::LedgerFlaw& flaw = each.flaw;
    LedgerViolation told = each;
    const auto read = [&](Row& row) { row.read(told.id, told.found_at); };
    BELFRY_TRY(is_new, session.db.first(kAddLedgerFlaw, read, session.now, each.tenant, each.job,
                                        flaw.kind, flaw.first, flaw.last, flaw.count, flaw.revision,
                                        flaw.evidence, kMostViolations));
    if (!is_new) continue;
    session.events.add(each.tenant, ViolationEvent{each.job, flaw.first, flaw.kind});
    news.push_back(std::move(told));
  }
  if (!news.empty()) BELFRY_CHECK(session.db.run(kCountViolations, news.size()));
  return news;
}

LedgerViolation read_violation(Row& row) {
  LedgerViolation read;
  row.read(read.id, read.tenant, read.job, read.flaw.kind, read.flaw.first, read.flaw.last,
           read.flaw.count, read.flaw.revision, read.flaw.evidence, read.found_at, read.name);
  return read;
}

}  // namespace

Result<LedgerCheck> SqliteStore::ledger_check() {
  return read([&](const Session& session) -> Result<LedgerCheck> {
    LedgerCheck check;
    const auto read = [&](Row& row) {
      row.read(check.version, check.checked_through, check.kept_after, check.sealed_through,
               check.violations, check.pass);
    };
    BELFRY_CHECK(session.db.first(kLedgerCheck, read));
    return check;
  });
}

Result<std::vector<LedgerViolation>> SqliteStore::advance_ledger_check(const LedgerStep& step) {
  return write([&](const Session& session) -> Result<std::vector<LedgerViolation>> {
    BELFRY_CHECK(move_check(session, step.check));
    BELFRY_TRY(news, add_flaws(session, step.found));
    if (step.drop_tallies) BELFRY_CHECK(session.db.run(kDropTallies));
    for (const ProofTally& each : step.tallies) {
      BELFRY_CHECK(session.db.run(kPutTally, each.tenant, each.tally));
    }
    for (const ProofRow& proof : step.sealed) {
      BELFRY_CHECK(session.db.run(kPutProof, session.now, proof.tenant, proof.day, proof.statement,
                                  proof.digest, proof.public_key, proof.signature));
      BELFRY_CHECK(session.db.run(kDropTally, proof.tenant));
    }
    return news;
  });
}

Result<std::vector<LedgerViolation>> SqliteStore::ledger_violations(std::optional<TenantId> tenant,
                                                                    Instant found_after,
                                                                    std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<LedgerViolation>> {
    std::vector<LedgerViolation> all;
    const auto add = [&](Row& row) { all.push_back(read_violation(row)); };
    BELFRY_CHECK(
        session.db.each(kLedgerViolations, add, tenant.value_or(TenantId()), found_after, limit));
    return all;
  });
}

Result<std::vector<ProofTally>> SqliteStore::proof_tallies(TenantId after, std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<ProofTally>> {
    std::vector<ProofTally> all;
    const auto add = [&](Row& row) {
      ProofTally& each = all.emplace_back();
      row.read(each.tenant, each.tally);
    };
    BELFRY_CHECK(session.db.each(kProofTallies, add, after, limit));
    return all;
  });
}

Result<std::vector<ProofRow>> SqliteStore::proofs(TenantId tenant, Instant before,
                                                  std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<ProofRow>> {
    std::vector<ProofRow> all;
    const auto add = [&](Row& row) {
      ProofRow& proof = all.emplace_back();
      row.read(proof.tenant, proof.day, proof.statement, proof.digest, proof.public_key,
               proof.signature, proof.sealed_at);
    };
    BELFRY_CHECK(session.db.each(kProofs, add, tenant, before, limit));
    return all;
  });
}

}  // namespace belfry::store::sqlite
