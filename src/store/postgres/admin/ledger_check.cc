#include "store/common/ledger_moved.h"
#include "store/common/outbox.h"
#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

Status move_check(Transaction& transaction, const LedgerCheck& check) {
  Params params;
  params.instant(check.checked_through).instant(check.kept_after).instant(check.sealed_through);
  params.text(check.pass);
  if (check.version > 0) params.bigint(to_bigint(check.version));
  BELFRY_TRY(moved,
             transaction.run(check.version == 0 ? kBeginLedgerCheck : kMoveLedgerCheck, params));
  if (moved.empty()) return fail(ledger_moved_on());
  return {};
}

Result<std::vector<LedgerViolation>> add_flaws(Transaction& transaction, std::optional<Instant> now,
                                               std::span<const LedgerViolation> found) {
  std::vector<LedgerViolation> news;
  for (const LedgerViolation& each : found) {
    const core::LedgerFlaw& flaw = each.flaw;
    Params params;
    params.instant(now).bigint(to_bigint(each.tenant.value())).bigint(to_bigint(each.job.value()));
    params.smallint(static_cast<std::int64_t>(flaw.kind)).instant(flaw.first.instant());
    params.instant(flaw.last.instant()).bigint(flaw.count).integer(flaw.revision);
    params.text(flaw.evidence).bigint(to_bigint(kMostViolations));
    BELFRY_TRY(added, transaction.run(kAddLedgerFlaw, params));
    if (added.empty()) continue;
    LedgerViolation& told = news.emplace_back(each);
    Row row = added.row(0);
    told.id = to_unsigned(row.number());
    told.found_at = row.instant();
  }
  return news;
}

Status tell(Transaction& transaction, std::optional<Instant> now,
            std::span<const LedgerViolation> news) {
  if (news.empty()) return {};
  EventCollector events;
  for (const LedgerViolation& each : news) {
    events.add(each.tenant, ViolationEvent{each.job, each.flaw.first, each.flaw.kind});
  }
  std::vector<std::int64_t> tenants;
  std::vector<std::int64_t> counts;
  std::vector<std::string> items;
  for (const auto& [of, event] : events.events()) {
    tenants.push_back(to_bigint(of.first.value()));
    counts.push_back(to_bigint(event.count));
    items.push_back(write_event_items(event));
  }
  const std::vector<std::string_view> texts(items.begin(), items.end());
  BELFRY_CHECK(transaction.run(
      kTellViolations, Params().instant(now).bigints(tenants).bigints(counts).texts(texts)));
  BELFRY_CHECK(transaction.run(kCountViolations, Params().bigint(to_bigint(news.size()))));
  return {};
}

Status put_tallies(Transaction& transaction, std::span<const ProofTally> tallies) {
  if (tallies.empty()) return {};
  std::vector<std::int64_t> tenants;
  std::vector<std::string_view> texts;
  for (const ProofTally& each : tallies) {
    tenants.push_back(to_bigint(each.tenant.value()));
    texts.emplace_back(each.tally);
  }
  BELFRY_CHECK(transaction.run(kPutTallies, Params().bigints(tenants).texts(texts)));
  return {};
}

Status put_proofs(Transaction& transaction, std::optional<Instant> now,
                  std::span<const ProofRow> sealed) {
  for (const ProofRow& proof : sealed) {
    const std::int64_t tenant = to_bigint(proof.tenant.value());
    Params params;
    params.instant(now).bigint(tenant).instant(proof.day).text(proof.statement);
    params.text(proof.digest).text(proof.public_key).text(proof.signature);
    BELFRY_CHECK(transaction.run(kPutProof, params));
    BELFRY_CHECK(transaction.run(kDropTally, Params().bigint(tenant)));
  }
  return {};
}

LedgerViolation read_violation(Row row) {
  LedgerViolation read;
  read.id = to_unsigned(row.number());
  read.tenant = TenantId(to_unsigned(row.number()));
  read.job = JobId(to_unsigned(row.number()));
  read.flaw.kind = static_cast<core::FlawKind>(row.number());
  read.flaw.first = Tick(row.instant());
  read.flaw.last = Tick(row.instant());
  read.flaw.count = row.number();
  read.flaw.revision = static_cast<std::uint32_t>(row.number());
  read.flaw.evidence = row.text();
  read.found_at = row.instant();
  read.name = row.text();
  return read;
}

ProofRow read_proof(Row row) {
  ProofRow proof;
  proof.tenant = TenantId(to_unsigned(row.number()));
  proof.day = row.instant();
  proof.statement = row.text();
  proof.digest = row.text();
  proof.public_key = row.text();
  proof.signature = row.text();
  proof.sealed_at = row.instant();
  return proof;
}

}  // namespace

Result<LedgerCheck> PostgresStore::ledger_check() {
  BELFRY_TRY(reply, database_.read(kLedgerCheck));
  LedgerCheck check;
  if (reply.empty()) return check;
  Row row = reply.row(0);
  check.version = to_unsigned(row.number());
  check.checked_through = row.instant();
  check.kept_after = row.instant();
  check.sealed_through = row.instant();
  check.violations = row.number();
  check.pass = row.text();
  return check;
}

Result<std::vector<LedgerViolation>> PostgresStore::advance_ledger_check(const LedgerStep& step) {
  std::vector<LedgerViolation> news;
  const auto write = [&](Transaction& transaction) -> Status {
    BELFRY_CHECK(move_check(transaction, step.check));
    BELFRY_TRY(added, add_flaws(transaction, now(), step.found));
    BELFRY_CHECK(tell(transaction, now(), added));
    if (step.drop_tallies) BELFRY_CHECK(transaction.run(kDropTallies));
    BELFRY_CHECK(put_tallies(transaction, step.tallies));
    BELFRY_CHECK(put_proofs(transaction, now(), step.sealed));
    news = std::move(added);
    return {};
  };
  BELFRY_CHECK(database_.transaction(write));
  return news;
}

Result<std::vector<LedgerViolation>> PostgresStore::ledger_violations(
    std::optional<TenantId> tenant, Instant found_after, std::size_t limit) {
  const auto params = Params()
                          .bigint(to_bigint(tenant.value_or(TenantId()).value()))
                          .instant(found_after)
                          .bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kLedgerViolations, params));
  return read_all(reply, read_violation);
}

Result<std::vector<ProofTally>> PostgresStore::proof_tallies(TenantId after, std::size_t limit) {
  const auto params = Params().bigint(to_bigint(after.value())).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kProofTallies, params));
  return read_all(reply, [](Row row) {
    const TenantId tenant(to_unsigned(row.number()));
    return ProofTally{.tenant = tenant, .tally = row.text()};
  });
}

Result<std::vector<ProofRow>> PostgresStore::proofs(TenantId tenant, Instant before,
                                                    std::size_t limit) {
  const auto params =
      Params().bigint(to_bigint(tenant.value())).instant(before).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kProofs, params));
  return read_all(reply, read_proof);
}

}  // namespace belfry::store::postgres
