#include "store/postgres/implementation.h"
#include "store/postgres/jobs/job_row.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {
namespace {

// Adds what a row says of a partition.
void read_into(PartitionJobs& jobs, Row& row) {
  jobs.decided_through = row.instant();
  jobs.version = JobsVersion(to_unsigned(row.number()));
  // A partition without jobs is one row with nothing beside it.
  if (!row.next_is_null()) jobs.jobs.push_back(read_job(row));
}

}  // namespace

Result<PartitionJobs> PostgresStore::load_partition(PartitionNo partition) {
  BELFRY_TRY(reply, decisions_.read(kLoadPartition, Params().integer(partition.value())));
  if (reply.empty()) return fail(Errc::kNotFound, "there is no such partition");
  PartitionJobs jobs;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    read_into(jobs, row);
  }
  return jobs;
}

Result<std::vector<std::optional<PartitionJobs>>> PostgresStore::load_changes(
    std::span<const KnownJobs> known) {
  std::vector<std::int64_t> partitions;
  std::vector<std::int64_t> versions;
  for (const KnownJobs& asked : known) {
    partitions.push_back(asked.partition.value());
    versions.push_back(to_bigint(asked.version.value()));
  }
  BELFRY_TRY(reply, decisions_.read(kLoadChanges, Params().integers(partitions).bigints(versions)));
  std::vector<std::optional<PartitionJobs>> changes(known.size());
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    auto& changed = changes.at(static_cast<std::size_t>(row.number() - 1));
    if (!changed) changed.emplace();
    read_into(*changed, row);
  }
  return changes;
}

}  // namespace belfry::store::postgres
