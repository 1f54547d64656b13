#include "engine/proof/ledger_export.h"

#include <algorithm>
#include <span>

namespace belfry::engine {
namespace {

constexpr std::size_t kJobsAtOnce = 1'000;
constexpr int kMostReads = 20;  // of jobs, in one call
constexpr std::size_t kRowsEach = 1'000;

// Appends what one job has; returns where to go on in it.
Result<std::optional<Instant>> export_job(store::ProofStore& store, JobId job,
                                          const ProofWindow& window,
                                          std::vector<store::LedgerRow>& rows) {
  BELFRY_TRY(read, store.ledger_rows({.jobs = {&job, 1},
                                      .after = window.after,
                                      .through = window.through,
                                      .each = kRowsEach}));
  const auto cut = complete_through(read, kRowsEach, window.after);
  for (store::LedgerRow& row : read) {
    const Instant first = row.fate.first.instant();
    if (first > window.after && first <= cut.value_or(window.through)) rows.push_back(row);
  }
  return cut;
}

}  // namespace

std::optional<Instant> complete_through(std::span<const store::LedgerRow> rows, std::size_t each,
                                        Instant after) {
  if (rows.size() < each) return std::nullopt;
  const Instant cut = rows[each - 1].fate.first.instant() - Duration(1);
  if (cut <= after) return std::nullopt;
  return cut;
}

Result<LedgerExport> export_ledger(store::ProofStore& store, TenantId tenant,
                                   const ProofPlace& place, const ProofWindow& window,
                                   std::size_t rows) {
  LedgerExport found;
  ProofPlace at = place;
  for (int i = 0; i < kMostReads; ++i) {
    const JobId after = at.at ? JobId(at.job.value() - 1) : at.job;
    BELFRY_TRY(jobs, store.ledger_jobs(after, window.after, kJobsAtOnce));
    for (const store::LedgerJob& job : jobs) {
      const bool goes_on = at.at && job.id == at.job;
      const ProofWindow rest{.after = goes_on ? std::max(*at.at, window.after) : window.after,
                             .through = window.through};
      at = {job.id};
      if (job.tenant != tenant) continue;
      BELFRY_TRY(cut, export_job(store, job.id, rest, found.rows));
      at.at = cut;
      if (!cut && found.rows.size() < rows) continue;
      found.next = at;
      return found;
    }
    if (jobs.size() < kJobsAtOnce) return found;
  }
  found.next = at;
  return found;
}

}  // namespace belfry::engine
