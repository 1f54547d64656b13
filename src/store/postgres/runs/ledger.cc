#include "store/common/run_pages.h"
#include "store/postgres/implementation.h"
#include "store/postgres/runs/run_reader.h"
#include "store/postgres/runs/run_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

AttemptRow read_attempt(Row row) {
  AttemptRow attempt;
  attempt.run.job = JobId(to_unsigned(row.number()));
  attempt.run.key = core::RunKey(row.number());
  attempt.attempt = AttemptNo(static_cast<std::uint32_t>(row.number()));
  attempt.fence = Fence(to_unsigned(row.number()));
  attempt.outcome = static_cast<core::AttemptOutcome>(row.number());
  attempt.started_at = row.instant();
  attempt.finished_at = row.instant();
  attempt.worker = row.text();
  attempt.error = row.text();
  return attempt;
}

}  // namespace

Result<LedgerPage> PostgresStore::ledger(const LedgerWindow& window, const std::string& cursor,
                                         std::size_t limit) {
  PostgresRunReader reader(database_);
  return page_of_ledger(reader, window, cursor, limit);
}

Result<std::vector<RunRow>> PostgresStore::runs_of(JobId job) {
  BELFRY_TRY(reply, database_.read(kRunsOf, Params().bigint(to_bigint(job.value()))));
  return read_all(reply, read_run);
}

Result<std::vector<SkipRow>> PostgresStore::skips_of(JobId job) {
  BELFRY_TRY(reply, database_.read(kSkipsOf, Params().bigint(to_bigint(job.value()))));
  return read_all(reply, read_skip);
}

Result<std::vector<AttemptRow>> PostgresStore::attempts_of(const core::RunRef& run) {
  BELFRY_TRY(reply,
             database_.read(kAttemptsOf,
                            Params().bigint(to_bigint(run.job.value())).bigint(run.key.value())));
  return read_all(reply, read_attempt);
}

}  // namespace belfry::store::postgres
