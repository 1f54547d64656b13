#include "store/sqlite/runs/archive.h"

#include "store/sqlite/sql.h"

#include <optional>

namespace belfry::store::sqlite {

Status archive_run(const Session& session, const core::RunRef& run, const Ending& ending) {
  std::optional<std::string_view> result;
  if (!ending.result.empty()) result = ending.result;
  BELFRY_TRY(tenant, session.db.value<std::optional<TenantId>>(kTenantOfRun, run));
  if (!tenant) return {};
  session.events.add(*tenant, RunEvent{run, ending.state});
  BELFRY_CHECK(session.db.run(kArchiveRun, run, ending.state, session.now, result, ending.error,
                              ending.reason));
  BELFRY_CHECK(session.db.run(kDeleteRun, run));
  if (ending.state == core::RunState::kSucceeded) {
    BELFRY_CHECK(session.db.run(kNoteSuccess, run.job));
  } else if (core::is_failure(ending.state)) {
    BELFRY_CHECK(session.db.run(kNoteFailure, run.job, *tenant, session.now));
  }
  return {};
}

}  // namespace belfry::store::sqlite
