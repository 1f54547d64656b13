#include "core/queue.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<std::vector<core::RunRef>> SqliteStore::give_up(std::span<const core::RunRef> runs) {
  return write([&](const Session& session) -> Result<std::vector<core::RunRef>> {
    std::vector<core::RunRef> gone;
    for (const core::RunRef& run : runs) {
      std::string queue;
      const auto read = [&](Row& row) { row.read(queue); };
      BELFRY_TRY(unstarted, session.db.first(kIsUnstarted, read, run, session.now));
      if (!unstarted) continue;
      const bool is_checkin = queue == core::checkin_queue();
      BELFRY_CHECK(archive_run(
          session, run,
          {.state = core::RunState::kDead,
           .error = is_checkin ? "no check-in came in time" : "nobody started it in time",
           .reason = core::DeadReason::kNotStarted}));
      gone.push_back(run);
    }
    return gone;
  });
}

Result<bool> SqliteStore::unstick_run(const core::RunRef& run, const std::string& note,
                                      const Author& author) {
  auto unstuck = write([&](const Session& session) -> Result<bool> {
    TenantId tenant;
    RunGrant grant{.run = run, .fence = {}};
    bool cancelled = false;
    const auto read = [&](Row& row) { row.read(tenant, grant.fence, cancelled); };
    BELFRY_TRY(running, session.db.first(kRunningRun, read, run));
    if (!running) return false;
    LeavingRun leaving;
    const auto read_run = [&](Row& row) { read_leaving(row, leaving); };
    BELFRY_CHECK(session.db.first(kLeavingRun, read_run, run));
    BELFRY_CHECK(session.db.run(kAddAttempt, grant, leaving.attempt,
                                core::AttemptOutcome::kLeaseLost, leaving.worker,
                                leaving.started_at, session.now, note));
    BELFRY_CHECK(audit_run(session, tenant, author, "run.unstick", run, note));
    const core::DeadReason reason =
        cancelled ? core::DeadReason::kNone : core::DeadReason::kUnstuck;
    BELFRY_CHECK(
        archive_run(session, run, leaving,
                    {.state = cancelled ? core::RunState::kCancelled : core::RunState::kDead,
                     .error = note,
                     .reason = reason}));
    return true;
  });
  if (unstuck && *unstuck) hints_.add_touched(run);
  return unstuck;
}

}  // namespace belfry::store::sqlite
