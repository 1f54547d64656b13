#include "store/sqlite/implementation.h"
#include "store/sqlite/jobs/job_row.h"
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

Result<PartitionJobs> SqliteStore::load_partition(PartitionNo partition) {
  return read([&](const Session& session) -> Result<PartitionJobs> {
    BELFRY_TRY(row, read_partition(session, partition));
    PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
    const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
    BELFRY_CHECK(session.db.each(kLoadPartition, add, partition));
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
