#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

#include <algorithm>

namespace belfry::store::postgres {
namespace {

std::vector<std::int64_t> numbers_of(std::span<const JobId> jobs) {
  std::vector<std::int64_t> numbers;
  for (const JobId job : jobs) numbers.push_back(to_bigint(job.value()));
  return numbers;
}

LedgerRevision read_ledger_revision(Row row) {
  LedgerRevision read{.job = JobId(to_unsigned(row.number())), .revision = {}};
  core::ProofRevision& revision = read.revision;
  revision.revision = static_cast<std::uint32_t>(row.number());
  revision.effective_from = row.instant();
  revision.created_at = row.instant();
  revision.status = static_cast<core::JobStatus>(row.number());
  revision.paused_until = row.maybe_instant();
  revision.definition.name = row.text();
  read_schedule(revision.definition.schedule, row);
  read_policies(revision.definition.policies, row);
  revision.definition.schedule.calendar_rules = row.text();
  return read;
}

LedgerRow read_ledger_row(Row row) {
  LedgerRow read{.job = JobId(to_unsigned(row.number())), .fate = {}, .decided_at = {}};
  core::FateRow& fate = read.fate;
  fate.first = Tick(row.instant());
  fate.last = Tick(row.instant());
  if (const std::int64_t reason = row.number(); reason >= 0) {
    fate.skipped = static_cast<core::SkipReason>(reason);
  }
  fate.count = row.number();
  fate.revision = static_cast<std::uint32_t>(row.number());
  read.decided_at = row.instant();
  if (!fate.skipped) fate.decided_at = read.decided_at;
  fate.started_at = row.maybe_instant();
  return read;
}

}  // namespace

Result<std::vector<LedgerJob>> PostgresStore::ledger_jobs(JobId after, Instant ended_by,
                                                          std::size_t limit) {
  const auto params =
      Params().bigint(to_bigint(after.value())).instant(ended_by).bigint(to_bigint(limit));
  BELFRY_TRY(reply, database_.read(kLedgerJobs, params));
  return read_all(reply, [](Row row) {
    LedgerJob job;
    job.id = JobId(to_unsigned(row.number()));
    job.tenant = TenantId(to_unsigned(row.number()));
    job.name = row.text();
    job.effective_from = row.instant();
    return job;
  });
}

Result<std::vector<LedgerRevision>> PostgresStore::ledger_revisions(std::span<const JobId> jobs,
                                                                    Instant after) {
  const auto params = Params().bigints(numbers_of(jobs)).instant(after);
  BELFRY_TRY(reply, database_.read(kLedgerRevisions, params));
  return read_all(reply, read_ledger_revision);
}

Result<std::vector<LedgerRow>> PostgresStore::ledger_rows(const LedgerSpan& span) {
  const auto params = Params()
                          .bigints(numbers_of(span.jobs))
                          .instant(span.after)
                          .instant(span.through)
                          .bigint(to_bigint(span.each));
  BELFRY_TRY(reply, database_.read(kLedgerRows, params));
  auto rows = read_all(reply, read_ledger_row);
  std::ranges::stable_sort(rows, {},
                           [](const LedgerRow& row) { return std::pair(row.job, row.fate.first); });
  return rows;
}

}  // namespace belfry::store::postgres
