#include "store/postgres/implementation.h"
#include "store/postgres/sql.h"

namespace belfry::store::postgres {

Status PostgresStore::put_node_note(const NodeNote& note) {
  std::vector<std::int64_t> partitions;
  for (const PartitionNo partition : note.partitions) partitions.push_back(partition.value());
  std::vector<std::int64_t> jobs;
  std::vector<std::string_view> reasons;
  for (const BrokenSchedule& broken : note.broken) {
    jobs.push_back(to_bigint(broken.job.value()));
    reasons.push_back(broken.reason);
  }
  return database_.transaction([&](Transaction& transaction) -> Status {
    if (note.clock_offset) {
      BELFRY_CHECK(transaction.run(
          kNoteClockOffset, Params().uuid(note.node.value()).bigint(note.clock_offset->count())));
    }
    BELFRY_CHECK(
        transaction.run(kForgetBrokenSchedules,
                        Params().uuid(note.node.value()).integers(partitions).bigints(jobs)));
    if (jobs.empty()) return {};
    BELFRY_CHECK(transaction.run(
        kNoteBrokenSchedules,
        Params().instant(now()).uuid(note.node.value()).bigints(jobs).texts(reasons)));
    return {};
  });
}

}  // namespace belfry::store::postgres
