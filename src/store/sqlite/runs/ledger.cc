#include "store/sqlite/runs/ledger.h"

#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"

#include <array>

namespace belfry::store::sqlite {

RunRow read_run(Row& row) {
  RunRow run;
  row.read(run.run, run.state, run.origin, run.scheduled_for, run.decided_at, run.started_at,
           run.finished_at);
  row.read(run.attempts, run.fence, run.revision, run.stands_for, run.epoch, run.node, run.worker,
           run.result, run.error);
  return run;
}

SkipRow read_skip(Row& row) {
  SkipRow skip;
  row.read(skip.job, skip.first, skip.last, skip.count, skip.reason, skip.epoch);
  return skip;
}

Result<std::vector<RunRow>> SqliteStore::runs_of(JobId job) {
  return read([&](const Session& session) -> Result<std::vector<RunRow>> {
    std::vector<RunRow> runs;
    const auto add = [&](Row& row) { runs.push_back(read_run(row)); };
    BELFRY_CHECK(session.db.each(kRunsOfJob, add, partition_of(job), job));
    return runs;
  });
}

Result<std::vector<SkipRow>> SqliteStore::skips_of(JobId job) {
  return read([&](const Session& session) -> Result<std::vector<SkipRow>> {
    std::vector<SkipRow> skips;
    const auto add = [&](Row& row) { skips.push_back(read_skip(row)); };
    BELFRY_CHECK(session.db.each(kSkipsOfJob, add, partition_of(job), job));
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
    BELFRY_CHECK(session.db.each(kAttemptsOfRun, add, run));
    return attempts;
  });
}

Result<std::vector<std::optional<core::AttemptOutcome>>> SqliteStore::outcomes_of(
    std::span<const RunGrant> grants) {
  return read(
      [&](const Session& session) -> Result<std::vector<std::optional<core::AttemptOutcome>>> {
        std::vector<std::optional<core::AttemptOutcome>> outcomes;
        for (const RunGrant& grant : grants) {
          auto& outcome = outcomes.emplace_back();
          const auto read = [&](Row& row) { row.read(outcome); };
          BELFRY_CHECK(session.db.first(kOutcomeOfGrant, read, grant));
        }
        return outcomes;
      });
}

Result<std::optional<RunRow>> find_run(const Session& session, const core::RunRef& run) {
  std::optional<RunRow> result;
  const auto read = [&](Row& row) { result = read_run(row); };
  for (const std::string_view sql : {kLiveRun, kPastRunByKey, kPastRunByTick}) {
    BELFRY_TRY(found, session.db.first(sql, read, run));
    if (found) break;
  }
  return result;
}

}  // namespace belfry::store::sqlite
