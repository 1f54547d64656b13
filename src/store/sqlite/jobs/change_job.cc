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
#include "store/sqlite/runs/archive.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/decisions.h"
#include "store/sqlite/ticks/partition_row.h"

namespace belfry::store::sqlite {

namespace {

// Decides, by the caller's rules, the ticks of a job that nobody else will decide.
Status decide_due(const Session& session, const PartitionRow& row, JobStore::ChangeFacts facts,
                  const JobStore::Settle& settle) {
  if (!settle) return {};
  facts.decided_through = row.decided_through;
  facts.now = session.now;
  const Authority authority{
      .epoch = row.epoch, .node = row.owner.value_or(Incarnation()), .apart = facts.begins};
  BELFRY_CHECK(write_decisions(session, partition_of(facts.job.id), authority, settle(facts)));
  return {};
}

// Decides the ticks of the old revision that are due, and lets the partition's owner know of the
// change. Returns when the new revision takes effect.
Result<Instant> reschedule(const Session& session, const JobRow& before,
                           const JobStore::Settle& settle) {
  const PartitionNo partition = partition_of(before.id);
  BELFRY_TRY(row, read_partition(session, partition));
  BELFRY_CHECK(decide_due(session, row, {.job = before}, settle));
  BELFRY_TRY(version, session.db.value<JobsVersion>(kRaiseJobsVersion, partition));
  BELFRY_CHECK(session.db.run(kAddJobChange, partition, version, before.id, session.now));
  return takes_effect(session.now, row.decided_through, &before);
}

Status end_line(const Session& session, JobId job) {
  std::vector<core::RunKey> waiting;
  const auto add = [&](Row& row) { row.read(waiting.emplace_back()); };
  BELFRY_CHECK(session.db.each(kRunsInLine, add, partition_of(job), job));
  for (const core::RunKey key : waiting) {
    BELFRY_CHECK(archive_run(session, {job, key},
                             {.state = core::RunState::kCancelled,
                              .error = "the job was stopped while the run waited in line"}));
  }
  return {};
}

}  // namespace

Status settle_start(const Session& session, const JobRow* before, const JobRow& after,
                    const JobStore::Settle& settle) {
  if (!may_begin_late(before, after)) return {};
  BELFRY_TRY(row, read_partition(session, partition_of(after.id)));
  return decide_due(session, row, {.job = after, .begins = true}, settle);
}

Result<JobRow> apply_change(const Session& session, const JobRow& before,
                            const JobStore::JobChange& change, const JobStore::Settle& settle) {
  JobRow after = changed(before, change);
  after.updated_at = session.now;
  if (change.reschedules) {
    BELFRY_TRY(effective_from, reschedule(session, before, settle));
    after.effective_from = effective_from;
    BELFRY_CHECK(follow_calendar(session, before, after));
  }
  if (after.status == core::JobStatus::kDeleted) {
    BELFRY_CHECK(session.db.run(kAddToJobCount, after.tenant, partition_of(after.id), -1));
  }
  if (after.status != before.status && !core::keeps_line(after.status)) {
    BELFRY_CHECK(end_line(session, after.id));
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
  if (change.reschedules) BELFRY_CHECK(settle_start(session, &before, after, settle));
  BELFRY_CHECK(audit_job(session, after,
                         {.author = change.author,
                          .action = action_of(change),
                          .revision_before = before.revision,
                          .changed = differences(before.definition, after.definition),
                          .note = change.pause_note}));
  session.events.add(after.tenant, JobEvent{after.id, after.revision, after.status});
  return after;
}

Result<JobRow> SqliteStore::change_job(const JobChange& change, const Settle& settle) {
  auto job = write([&](const Session& session) -> Result<JobRow> {
    BELFRY_TRY(before, sqlite::find_job(session, change.job));
    BELFRY_CHECK(check_change(before, change));
    return apply_change(session, before, change, settle);
  });
  if (job && change.reschedules) hints_.add_changed({&job->id, 1});
  return job;
}

}  // namespace belfry::store::sqlite
