#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/partition_row.h"

namespace belfry::store::sqlite {

namespace {

// One file is read as fast this way as any other: it is in memory that brevity counts.
void add_in_brief(BriefPartition& jobs, JobRow job) {
  const auto terms = core::terms_of(job.definition);
  if (!core::can_tick(job.status)) {
    jobs.gone.push_back(job.id);
  } else if (terms && job.status == core::JobStatus::kActive) {
    jobs.brief.push_back({job.id, job.effective_from, *terms});
  } else {
    jobs.whole.push_back(std::move(job));
  }
}

Result<std::optional<BriefPartition>> changes_since(const Session& session,
                                                    const KnownJobs& known) {
  BELFRY_TRY(row, read_partition(session, known.partition));
  BELFRY_TRY(versions,
             session.db.value<std::uint64_t>(kCountKnownVersions, known.partition, known.version));
  // Each version has at least one change until it is pruned; a gap means some are gone.
  const bool complete =
      known.version <= row.version && versions == row.version.value() - known.version.value();
  if (!complete) return std::nullopt;
  BriefPartition result{.decided_through = row.decided_through, .version = row.version};
  const auto add = [&](Row& job) { add_in_brief(result, read_job(job)); };
  BELFRY_CHECK(session.db.each(kChangedJobs, add, known.partition, known.version));
  return result;
}

}  // namespace

Result<PartitionJobs> SqliteStore::load_partition(PartitionNo partition) {
  return read([&](const Session& session) -> Result<PartitionJobs> {
    BELFRY_TRY(row, read_partition(session, partition));
    PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
    const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
    BELFRY_CHECK(session.db.each(kLoadPartition, add, partition));
    return result;
  });
}

Result<BriefPartition> SqliteStore::load_brief(PartitionNo partition) {
  return read([&](const Session& session) -> Result<BriefPartition> {
    BELFRY_TRY(row, read_partition(session, partition));
    BriefPartition result{
        .decided_through = row.decided_through, .version = row.version, .era = era_of(row.epoch)};
    const auto add = [&](Row& job) { add_in_brief(result, read_job(job)); };
    BELFRY_CHECK(session.db.each(kLoadPartition, add, partition));
    return result;
  });
}

Result<std::vector<JobRow>> SqliteStore::load_jobs(std::span<const JobId> jobs) {
  return read([&](const Session& session) -> Result<std::vector<JobRow>> {
    std::vector<JobRow> rows;
    const auto add = [&](Row& row) { rows.push_back(read_job(row)); };
    for (const JobId job : jobs) BELFRY_CHECK(session.db.each(kLoadJob, add, job));
    return rows;
  });
}

Result<std::vector<std::optional<BriefPartition>>> SqliteStore::load_changes(
    std::span<const KnownJobs> known) {
  return read([&](const Session& session) -> Result<std::vector<std::optional<BriefPartition>>> {
    std::vector<std::optional<BriefPartition>> changes;
    for (const KnownJobs& asked : known) {
      BELFRY_TRY(changed, changes_since(session, asked));
      changes.push_back(std::move(changed));
    }
    return changes;
  });
}

}  // namespace belfry::store::sqlite
