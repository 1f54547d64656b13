#include "store/sqlite/job_row.h"
#include "store/sqlite/jobs.h"
#include "store/sqlite/partition_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<JobRow> find_job(const Session& session, JobId job) {
  JobRow result;
  const auto read = [&](Row& row) { result = read_whole_job(row); };
  BELFRY_TRY(found, session.db.first(kJobById, read, job));
  if (!found) return fail(Errc::kNotFound, "no such job");
  return result;
}

Result<JobRow> find_job(const Session& session, TenantId tenant, const std::string& name) {
  JobRow result;
  const auto read = [&](Row& row) { result = read_whole_job(row); };
  BELFRY_TRY(found, session.db.first(kJobByName, read, tenant, name));
  if (!found) return fail(Errc::kNotFound, "no job named `" + name + "`");
  return result;
}

Result<PartitionJobs> load_partition(const Session& session, PartitionNo partition) {
  BELFRY_TRY(row, read_partition(session, partition));
  PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
  const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
  BELFRY_CHECK(session.db.each(kJobsOfPartition, add, partition));
  return result;
}

Result<PartitionJobs> load_changes(const Session& session, PartitionNo partition,
                                   JobsVersion since) {
  BELFRY_TRY(row, read_partition(session, partition));
  BELFRY_TRY(known, session.db.value<std::uint64_t>(kCountKnownVersions, partition, since));
  if (since > row.version || known != row.version.value() - since.value()) {
    return fail(Errc::kConflict, "the changes of partition " + std::to_string(partition.value()) +
                                     " since version " + std::to_string(since.value()) +
                                     " are not known any more");
  }
  PartitionJobs result{.decided_through = row.decided_through, .version = row.version};
  const auto add = [&](Row& job) { result.jobs.push_back(read_job(job)); };
  BELFRY_CHECK(session.db.each(kChangedJobs, add, partition, since));
  return result;
}

}  // namespace belfry::store::sqlite
