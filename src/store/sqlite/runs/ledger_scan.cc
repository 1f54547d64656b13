#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/sql.h"

#include <algorithm>

namespace belfry::store::sqlite {
namespace {

LedgerRevision read_ledger_revision(JobId job, Row& row) {
  LedgerRevision read{.job = job, .revision = {}};
  core::ProofRevision& revision = read.revision;
  row.read(revision.revision, revision.effective_from, revision.created_at, revision.status,
           revision.paused_until, revision.definition.name);
  read_schedule(revision.definition.schedule, row);
  read_policies(revision.definition.policies, row);
  row.read(revision.definition.schedule.calendar_rules);
  return read;
}

LedgerRow read_ledger_run(JobId job, Row& row) {
  LedgerRow read{.job = job, .fate = {}, .decided_at = {}};
  row.read(read.fate.first, read.fate.count, read.fate.revision, read.decided_at,
           read.fate.started_at);
  read.fate.last = read.fate.first;
  read.fate.decided_at = read.decided_at;
  return read;
}

LedgerRow read_ledger_skip(JobId job, Row& row) {
  LedgerRow read{.job = job, .fate = {}, .decided_at = {}};
  row.read(read.fate.first, read.fate.last, read.fate.skipped, read.fate.count, read.decided_at);
  return read;
}

}  // namespace

Result<std::vector<LedgerJob>> SqliteStore::ledger_jobs(JobId after, Instant ended_by,
                                                        std::size_t limit) {
  return read([&](const Session& session) -> Result<std::vector<LedgerJob>> {
    std::vector<LedgerJob> jobs;
    const auto add = [&](Row& row) {
      LedgerJob& job = jobs.emplace_back();
      row.read(job.id, job.tenant, job.name, job.effective_from);
    };
    BELFRY_CHECK(session.db.each(kLedgerJobs, add, after, ended_by, limit));
    return jobs;
  });
}

Result<std::vector<LedgerRevision>> SqliteStore::ledger_revisions(std::span<const JobId> jobs,
                                                                  Instant after) {
  return read([&](const Session& session) -> Result<std::vector<LedgerRevision>> {
    std::vector<LedgerRevision> revisions;
    for (const JobId job : jobs) {
      const auto add = [&](Row& row) { revisions.push_back(read_ledger_revision(job, row)); };
      BELFRY_CHECK(session.db.each(kLedgerRevisions, add, job, after));
    }
    return revisions;
  });
}

Result<std::vector<LedgerRow>> SqliteStore::ledger_rows(const LedgerSpan& span) {
  return read([&](const Session& session) -> Result<std::vector<LedgerRow>> {
    std::vector<LedgerRow> rows;
    for (const JobId job : span.jobs) {
      const auto add_run = [&](Row& row) { rows.push_back(read_ledger_run(job, row)); };
      const auto add_skip = [&](Row& row) { rows.push_back(read_ledger_skip(job, row)); };
      const PartitionNo partition = partition_of(job);
      for (const std::string_view sql : {kLedgerLiveRows, kLedgerPastRows}) {
        BELFRY_CHECK(
            session.db.each(sql, add_run, partition, job, span.after, span.through, span.each));
      }
      BELFRY_CHECK(session.db.each(kLedgerSkipRows, add_skip, partition, job, span.after,
                                   span.through, span.each));
    }
    std::ranges::stable_sort(
        rows, {}, [](const LedgerRow& row) { return std::pair(row.job, row.fate.first); });
    return rows;
  });
}

}  // namespace belfry::store::sqlite
