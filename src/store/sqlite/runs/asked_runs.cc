#include "store/common/change_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/runs/run_row.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/partition_row.h"

#include <algorithm>

namespace belfry::store::sqlite {

// No run is due before its tick, even when the clock was set back after the tick was decided.
namespace {

// The tenant of a job, even of a deleted one.
Result<TenantId> tenant_of(const Session& session, JobId job,
                           std::optional<core::JobStatus>& status) {
  TenantId tenant;
  const auto read = [&](Row& row) { row.read(status, tenant); };
  BELFRY_CHECK(session.db.first(kJobStatus, read, job));
  if (!status) return fail(Errc::kNotFound, "there is no such job");
  return tenant;
}

// The tenant of a job that can be asked to run: it exists, whatever its state.
Result<TenantId> check_job(const Session& session, JobId job) {
  std::optional<core::JobStatus> status;
  BELFRY_TRY(tenant, tenant_of(session, job, status));
  if (*status == core::JobStatus::kDeleted) return fail(Errc::kNotFound, "there is no such job");
  return tenant;
}

// The same work once more, as a run of its own.
Status repeat_run(const Session& session, const RunRow& past, core::RunKey fresh) {
  BELFRY_TRY(payload,
             session.db.value<std::string>(kPayloadOfPastRun, past.run, past.scheduled_for));
  BELFRY_CHECK(session.db.run(kInsertRun, core::RunRef{past.run.job, fresh},
                              core::RunOrigin::kRetry, past.scheduled_for,
                              std::max(past.scheduled_for, session.now), session.now,
                              past.stands_for, past.epoch, past.node, payload));
  return {};
}

Result<RunRow> make_run(const Session& session, const RunStore::Trigger& trigger) {
  const core::RunRef ref{trigger.job, trigger.key};
  BELFRY_TRY(tenant, check_job(session, trigger.job));
  BELFRY_TRY(known, find_run(session, ref));
  if (known) return *std::move(known);
  BELFRY_TRY(partition, read_partition(session, partition_of(trigger.job)));
  const Instant scheduled_for = trigger.tick ? trigger.tick->instant() : session.now;
  BELFRY_CHECK(session.db.run(kInsertRun, ref, trigger.origin, scheduled_for, session.now,
                              session.now, 1, partition.epoch,
                              partition.owner.value_or(Incarnation()), trigger.payload));
  BELFRY_CHECK(audit_run(session, tenant, trigger.author, "run.trigger", ref));
  session.events.add(tenant, RunEvent{ref, core::RunState::kReady});
  BELFRY_TRY(made, find_run(session, ref));
  if (!made) return fail(Errc::kInternal, "a run vanished while it was made");
  return *std::move(made);
}

Result<std::vector<BackfillFate>> make_runs(const Session& session,
                                            const RunStore::Backfill& backfill) {
  BELFRY_TRY(tenant, check_job(session, backfill.job));
  BELFRY_TRY(through, session.db.value<Instant>(kBackfillTerms, backfill.job, session.now));
  BELFRY_TRY(partition, read_partition(session, partition_of(backfill.job)));
  std::vector<BackfillFate> fates;
  fates.reserve(backfill.ticks.size());
  for (const core::BackfillTick& wanted : backfill.ticks) {
    const core::RunRef ref{backfill.job, core::run_key_of(wanted.tick)};
    if (wanted.tick.instant() > through) {
      fates.push_back(BackfillFate::kUndecided);
      continue;
    }
    BELFRY_TRY(known, find_run(session, ref));
    fates.push_back(known ? BackfillFate::kExists : BackfillFate::kCreated);
    if (known || backfill.dry_run) continue;
    BELFRY_CHECK(session.db.run(kInsertRun, ref, core::RunOrigin::kBackfill, wanted.tick,
                                std::max(wanted.tick.instant(), session.now + wanted.wait),
                                session.now, 1, partition.epoch,
                                partition.owner.value_or(Incarnation()), std::nullopt));
    BELFRY_CHECK(audit_run(session, tenant, backfill.author, "run.backfill", ref));
    session.events.add(tenant, RunEvent{ref, core::RunState::kReady});
  }
  return fates;
}

Status check_feeding(const Session& session, const RunRow& past) {
  Feeding feeding;
  const auto read = [&](Row& row) {
    row.read(feeding.target, feeding.payload, feeding.target_then, feeding.payload_then);
  };
  BELFRY_CHECK(session.db.first(kFeeding, read, past.run, past.scheduled_for));
  return check_may_feed(feeding);
}

Result<RunRow> retry(const Session& session, const RunStore::Retry& wanted) {
  std::optional<core::JobStatus> status;
  BELFRY_TRY(tenant, tenant_of(session, wanted.run.job, status));
  BELFRY_TRY(known, find_run(session, wanted.run));
  if (!known) return fail(Errc::kNotFound, "there is no such run, or its history was dropped");
  if (core::is_live(known->state)) return *std::move(known);
  if (!wanted.may_exec) BELFRY_CHECK(check_feeding(session, *known));
  core::RunRef run = wanted.run;
  if (known->state == core::RunState::kSucceeded) {
    run.key = wanted.fresh;
    BELFRY_TRY(repeated, find_run(session, run));
    if (repeated) return *std::move(repeated);
    BELFRY_CHECK(repeat_run(session, *known, wanted.fresh));
  } else {
    BELFRY_CHECK(session.db.run(kReviveRun, run, known->scheduled_for, session.now));
    BELFRY_CHECK(session.db.run(kForgetPastRun, run, known->scheduled_for));
  }
  BELFRY_CHECK(audit_run(session, tenant, wanted.author, "run.retry", run));
  session.events.add(tenant, RunEvent{run, core::RunState::kReady});
  BELFRY_TRY(made, find_run(session, run));
  if (!made) return fail(Errc::kInternal, "a run vanished while it was made");
  return *std::move(made);
}

}  // namespace

Result<RunRow> SqliteStore::trigger(const Trigger& trigger) {
  auto run = write([&](const Session& session) { return make_run(session, trigger); });
  if (run) hints_.add_touched(run->run);
  return run;
}

Result<std::vector<BackfillFate>> SqliteStore::backfill(const Backfill& backfill) {
  auto fates = write([&](const Session& session) { return make_runs(session, backfill); });
  if (!fates || backfill.dry_run) return fates;
  std::vector<core::RunKey> made;
  for (const core::BackfillTick& tick : backfill.ticks) made.push_back(core::run_key_of(tick.tick));
  hints_.add_touched(backfill.job, made);
  return fates;
}

Result<RunRow> SqliteStore::retry_run(const Retry& wanted) {
  auto made = write([&](const Session& session) { return retry(session, wanted); });
  if (made) hints_.add_touched(made->run);
  return made;
}

Result<bool> SqliteStore::cancel_run(const core::RunRef& run, const Author& author) {
  auto cancelled = write([&](const Session& session) -> Result<bool> {
    std::optional<core::RunState> state;
    TenantId tenant;
    const auto read = [&](Row& row) { row.read(state, tenant); };
    BELFRY_CHECK(session.db.first(kStateOfRun, read, run));
    if (!state) return false;
    BELFRY_CHECK(audit_run(session, tenant, author, "run.cancel", run));
    if (*state == core::RunState::kRunning) {
      BELFRY_CHECK(session.db.run(kRequestCancel, run, session.now));
      session.events.add(tenant, RunEvent{run, *state});
    } else {
      BELFRY_CHECK(archive_run(session, run, {.state = core::RunState::kCancelled}));
    }
    return true;
  });
  if (cancelled && *cancelled) hints_.add_touched(run);
  return cancelled;
}

}  // namespace belfry::store::sqlite
