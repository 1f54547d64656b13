#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

#include <unordered_map>

namespace belfry::store::postgres {

Result<std::vector<DecideOutcome>> PostgresStore::complete_jobs(const Incarnation& node,
                                                                std::span<const EndedJobs> ended) {
  std::vector<std::int64_t> partitions;
  std::vector<std::int64_t> epochs;
  std::vector<std::int64_t> versions;
  std::vector<std::int64_t> jobs;
  for (const EndedJobs& of_partition : ended) {
    partitions.push_back(of_partition.partition.value());
    epochs.push_back(to_bigint(of_partition.epoch.value()));
    versions.push_back(to_bigint(of_partition.version.value()));
    for (const JobId job : of_partition.jobs) jobs.push_back(to_bigint(job.value()));
  }
  Params params;
  params.instant(now()).uuid(node.value());
  params.integers(partitions).bigints(epochs).bigints(versions).bigints(jobs);
  BELFRY_TRY(reply, decisions_.write(kCompleteJobs, params));
  hints_.box().add_events();
  std::unordered_map<PartitionNo, DecideOutcome> verdicts;
  for (int i = 0; i < reply.size(); ++i) {
    Row row = reply.row(i);
    const PartitionNo partition(static_cast<std::uint16_t>(row.number()));
    verdicts.emplace(partition, static_cast<DecideOutcome>(row.number()));
  }
  std::vector<DecideOutcome> outcomes;
  for (const EndedJobs& of_partition : ended) {
    const auto found = verdicts.find(of_partition.partition);
    // A partition without a row cannot be owned.
    outcomes.push_back(found == verdicts.end() ? DecideOutcome::kDeposed : found->second);
  }
  return outcomes;
}

}  // namespace belfry::store::postgres
