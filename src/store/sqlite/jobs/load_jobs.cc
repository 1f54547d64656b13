#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
#include "store/sqlite/jobs/jobs.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/partition_row.h"

namespace belfry::store::sqlite {

namespace {

Result<std::optional<PartitionJobs>> changes_since(const Session& session, const KnownJobs& known) {
  BELFRY_TRY(row, read_partition(session, known.partition));
  BELFRY_TRY(versions,
             session.db.value<std::uint64_t>(kCountKnownVersions, known.partition, known.version));
  // Each version has at least one change until it is pruned; a gap means some are gone.
  const bool complete =
      known.version <= row.version && versions == row.version.value() - known.version.value();
  if (!complete) return std::nullopt;
  PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
  const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
  BELFRY_CHECK(session.db.each(kChangedJobs, add, known.partition, known.version));
  return result;
}

}  // namespace

Result<JobRow> find_job(const Session& session, JobId job) {
  JobRow result;
  const auto read = [&](Row& row) { result = read_whole_job(row); };
  BELFRY_TRY(found, session.db.first(kJobById, read, job));
  if (!found) return fail(Errc::kNotFound, "no such job");
  return result;
}

Result<JobRow> SqliteStore::find_job(JobId job) {
  return read([&](const Session& session) { return sqlite::find_job(session, job); });
}

Result<JobRow> SqliteStore::find_job(TenantId tenant, const std::string& name) {
  return read([&](const Session& session) -> Result<JobRow> {
    JobRow result;
    const auto read = [&](Row& row) { result = read_whole_job(row); };
    BELFRY_TRY(found, session.db.first(kJobByName, read, tenant, name));
    if (!found) return fail(Errc::kNotFound, "no job named `" + name + "`");
    return result;
  });
}

Result<PartitionJobs> SqliteStore::load_partition(PartitionNo partition) {
  return read([&](const Session& session) -> Result<PartitionJobs> {
    BELFRY_TRY(row, read_partition(session, partition));
    PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
    const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
    BELFRY_CHECK(session.db.each(kJobsOfPartition, add, partition));
    return result;
  });
}

Result<std::vector<std::optional<PartitionJobs>>> SqliteStore::load_changes(
    std::span<const KnownJobs> known) {
  return read([&](const Session& session) -> Result<std::vector<std::optional<PartitionJobs>>> {
    std::vector<std::optional<PartitionJobs>> changes;
    for (const KnownJobs& asked : known) {
      BELFRY_TRY(changed, changes_since(session, asked));
      changes.push_back(std::move(changed));
    }
    return changes;
  });
}

}  // namespace belfry::store::sqlite
