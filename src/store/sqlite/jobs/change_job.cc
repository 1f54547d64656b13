#include "store/sqlite/jobs/change_job.h"

#include "core/overlap.h"
#include "store/common/change_rules.h"
#include "store/common/job_rules.h"
#include "store/sqlite/admin/audit.h"
#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/calendars.h"
#include "store/sqlite/jobs/find_job.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/jobs/labels.h"
#include "store/sqlite/jobs/revisions.h"
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/decisions.h"
#include "store/sqlite/ticks/partition_row.h"

#include <utility>

namespace belfry::store::sqlite {

namespace {

// Writes what a change decides in the owner's stead.
Status write_settled(const Session& session, JobId job, const core::Fates& fates,
                     Authority authority) {
  Decisions decisions;
  append(decisions, job, fates);
  BELFRY_CHECK(write_decisions(session, partition_of(job), authority, decisions));
  return {};
}

Authority in_the_stead_of_owner(const PartitionRow& row) {
  return {.epoch = row.epoch, .node = row.owner.value_or(Incarnation())};
}

// Ticks of the old revision that are due but undecided get their fates, and the partition's owner
// learns of the change. When the new revision takes effect.
Result<Instant> reschedule(const Session& session, const JobRow& before, Settler& settler,
                           Settled& settled) {
  const PartitionNo partition = partition_of(before.id);
  BELFRY_TRY(row, read_partition(session, partition));
  const core::Fates fates = settler.end_of(before, row.decided_through, session.now);
  BELFRY_CHECK(write_settled(session, before.id, fates, in_the_stead_of_owner(row)));
  add(settled, fates, session.now);
  BELFRY_TRY(version, session.db.value<JobsVersion>(kRaiseJobsVersion, partition));
  BELFRY_CHECK(session.db.run(kAddJobChange, partition, version, before.id, session.now));
  return takes_effect(session.now, row.decided_through, &before);
}

// Ends the runs in line, or all that wait.
Status end_line(const Session& session, JobId job, bool all) {
  std::vector<core::RunKey> waiting;
  const auto add = [&](Row& row) { row.read(waiting.emplace_back()); };
  BELFRY_CHECK(session.db.each(kRunsInLine, add, partition_of(job), job, all));
  for (const core::RunKey key : waiting) {
    BELFRY_CHECK(archive_run(session, {job, key},
                             {.state = core::RunState::kCancelled,
                              .error = "the job was stopped while the run waited"}));
  }
  return {};
}

// Whether a tick of the job has a fate under an earlier definition.
Result<bool> has_fate(const Session& session, const JobRow& job, Tick tick, Settler& settler) {
  if (job.revision == 1) return false;  // it has no ledger yet
  const core::RunRef run{job.id, core::run_key_of(tick)};
  BELFRY_TRY(known, session.db.value<std::size_t>(kFateOfTick, run, tick.instant()));
  if (known > 0) return true;
  BELFRY_TRY(laws, find_revisions(session, job.id, std::nullopt, tick.instant(), 1));
  return !laws.empty() && settler.has_tick(job.tenant, laws.front(), tick.instant());
}

// Decides the one instant of a definition just written, if it was over before it took effect.
// `before` is none for a new job.
Status settle_start(const Session& session, const JobRow* before, const JobRow& after,
                    Settler& settler, Settled& settled) {
  if (!may_begin_late(before, after)) return {};
  const core::Fates fates = settler.start_of(after, session.now);
  const auto tick = tick_of(fates);
  if (!tick) return {};
  BELFRY_TRY(known, has_fate(session, after, *tick, settler));
  if (known) return {};
  BELFRY_TRY(row, read_partition(session, partition_of(after.id)));
  Authority authority = in_the_stead_of_owner(row);
  authority.apart = true;
  BELFRY_CHECK(write_settled(session, after.id, fates, authority));
  add(settled, fates, session.now);
  return {};
}

}  // namespace

Result<Settled> settle_new(const Session& session, const JobRow& job, Settler& settler) {
  Settled settled;
  BELFRY_CHECK(settle_start(session, nullptr, job, settler, settled));
  return settled;
}

Result<ChangedJob> apply_change(const Session& session, const JobRow& before,
                                const JobStore::JobChange& change, Settler& settler) {
  Settled settled;
  JobRow after = changed(before, change);
  after.updated_at = session.now;
  if (change.reschedules) {
    BELFRY_TRY(effective_from, reschedule(session, before, settler, settled));
    after.effective_from = effective_from;
    BELFRY_CHECK(follow_calendar(session, before, after));
  }
  if (after.status == core::JobStatus::kDeleted) {
    BELFRY_CHECK(session.db.run(kAddToJobCount, after.tenant, partition_of(after.id), -1));
  }
  if (after.status != before.status && !core::keeps_line(after.status)) {
    BELFRY_CHECK(end_line(session, after.id, change.ends_waiting));
  }
  BELFRY_CHECK(drop_labels(session, before));
  const auto written = write_job(session.db, kUpdateJob, after, session.now);
  if (!written && written.error().code == Errc::kConflict) {
    return fail(name_taken(after.definition.name));
  }
  if (!written) return fail(written.error());
  BELFRY_CHECK(add_labels(session, after));
  if (change.reschedules) BELFRY_CHECK(copy_calendar(session, before, after));
  if (after.revision != before.revision) {
    BELFRY_CHECK(session.db.run(kAddRevision, after.id, after.definition.target,
                                after.definition.payload, session.now));
  }
  if (change.reschedules) {
    BELFRY_CHECK(settle_start(session, &before, after, settler, settled));
  }
  BELFRY_CHECK(audit_job(session, after,
                         {.author = change.author,
                          .action = action_of(change),
                          .revision_before = before.revision,
                          .changed = differences(before.definition, after.definition),
                          .note = change.pause_note}));
  session.events.add(after.tenant, JobEvent{after.id, after.revision, after.status});
  return ChangedJob{.job = std::move(after), .settled = std::move(settled)};
}

Result<ChangedJob> SqliteStore::change_job(const JobChange& change) {
  Settler settler = new_settler();
  auto changed = write([&](const Session& session) -> Result<ChangedJob> {
    BELFRY_TRY(before, sqlite::find_job(session, change.job));
    BELFRY_CHECK(check_change(before, change));
    return apply_change(session, before, change, settler);
  });
  if (changed && change.reschedules) hints_.add_changed({&changed->job.id, 1});
  if (changed) hints_.add_touched(changed->job.id, keys_of_runs(changed->settled.fates));
  return changed;
}

}  // namespace belfry::store::sqlite
