#include "store/common/run_pages.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/run_reader.h"
#include "store/sqlite/runs/run_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<LedgerPage> SqliteStore::ledger(const LedgerWindow& window, const std::string& cursor,
                                       std::size_t limit) {
  return read([&](const Session& session) -> Result<LedgerPage> {
    SqliteRunReader reader(session);
    return page_of_ledger(reader, window, cursor, limit);
  });
}

Result<std::vector<RunRow>> SqliteStore::runs_of(JobId job) {
  return read([&](const Session& session) -> Result<std::vector<RunRow>> {
    std::vector<RunRow> runs;
    const auto add = [&](Row& row) { runs.push_back(read_run(row)); };
    BELFRY_CHECK(session.db.each(kRunsOf, add, partition_of(job), job));
    return runs;
  });
}

Result<std::vector<SkipRow>> SqliteStore::skips_of(JobId job) {
  return read([&](const Session& session) -> Result<std::vector<SkipRow>> {
    std::vector<SkipRow> skips;
    const auto add = [&](Row& row) { skips.push_back(read_skip(row)); };
    BELFRY_CHECK(session.db.each(kSkipsOf, add, partition_of(job), job));
    return skips;
  });
}

Result<std::vector<AttemptRow>> SqliteStore::attempts_of(const core::RunRef& run) {
  return read([&](const Session& session) -> Result<std::vector<AttemptRow>> {
    std::vector<AttemptRow> attempts;
    const auto add = [&](Row& row) {
      AttemptRow& attempt = attempts.emplace_back();
      row.read(attempt.run, attempt.attempt, attempt.fence, attempt.outcome, attempt.started_at,
               attempt.finished_at, attempt.worker, attempt.error);
    };
    BELFRY_CHECK(session.db.each(kAttemptsOf, add, run));
    return attempts;
  });
}

}  // namespace belfry::store::sqlite
