#include "store/sqlite/runs/run_row.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

RunRow read_run(Row& row) {
  RunRow run;
  row.read(run.run, run.state, run.origin, run.scheduled_for, run.decided_at, run.started_at,
           run.finished_at);
  row.read(run.attempts, run.fence, run.revision, run.stands_for, run.epoch, run.node, run.worker,
           run.result, run.error);
  return run;
}

RunRow read_listed(Row& row) {
  RunRow run = read_run(row);
  row.read(run.tenant, run.job_name, run.job_type, run.max_attempts, run.due_at, run.lease_until,
           run.deadline, run.cancel_requested, run.reason);
  return run;
}

SkipRow read_skip(Row& row) {
  SkipRow skip;
  row.read(skip.job, skip.first, skip.last, skip.count, skip.reason, skip.epoch);
  return skip;
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
