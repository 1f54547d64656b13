#include "store/sqlite/runs/archive.h"

#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

void read_leaving(Row& row, LeavingRun& run) {
  row.read(run.tenant, run.job_type, run.revision, run.origin, run.scheduled_for, run.decided_at,
           run.started_at, run.stands_for, run.attempt, run.fence, run.worker, run.epoch, run.node,
           run.payload);
}

Status archive_run(const Session& session, const core::RunRef& run, const Ending& ending) {
  LeavingRun leaving;
  const auto read = [&](Row& row) { read_leaving(row, leaving); };
  BELFRY_TRY(is_live, session.db.first(kLeavingRun, read, run));
  return is_live ? archive_run(session, run, leaving, ending) : Status();
}

Status archive_run(const Session& session, const core::RunRef& run, const LeavingRun& leaving,
                   const Ending& ending) {
  std::optional<std::string_view> result;
  if (!ending.result.empty()) result = ending.result;
  session.events.add(leaving.tenant, RunEvent{run, ending.state});
  BELFRY_CHECK(session.db.run(
      kArchiveRun, run, leaving.tenant, leaving.job_type, leaving.revision, leaving.origin,
      leaving.scheduled_for, leaving.decided_at, leaving.started_at, leaving.stands_for,
      leaving.attempt, leaving.fence, leaving.worker, leaving.epoch, leaving.node, leaving.payload,
      ending.state, session.now, result, ending.error, ending.reason));
  BELFRY_CHECK(session.db.run(kDeleteRun, run));
  if (ending.state == core::RunState::kSucceeded) {
    BELFRY_CHECK(session.db.run(kNoteSuccess, run.job));
  } else if (core::is_failure(ending.state)) {
    BELFRY_CHECK(session.db.run(kNoteFailure, run.job, leaving.tenant, session.now));
  }
  return {};
}

}  // namespace belfry::store::sqlite
