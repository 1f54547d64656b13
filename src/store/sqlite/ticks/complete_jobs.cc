#include "store/sqlite/implementation.h"
#include "store/sqlite/sql.h"
#include "store/sqlite/ticks/partition_row.h"

namespace belfry::store::sqlite {

Result<std::vector<DecideOutcome>> SqliteStore::complete_jobs(const Incarnation& node,
                                                              std::span<const EndedJobs> ended) {
  return write([&](const Session& session) -> Result<std::vector<DecideOutcome>> {
    std::vector<DecideOutcome> outcomes;
    for (const EndedJobs& of_partition : ended) {
      BELFRY_TRY(row, read_partition(session, of_partition.partition));
      if (row.owner != node || row.epoch != of_partition.epoch) {
        outcomes.push_back(DecideOutcome::kDeposed);
      } else if (row.version != of_partition.version) {
        outcomes.push_back(DecideOutcome::kOutdated);
      } else {
        for (const JobId job : of_partition.jobs) {
          TenantId tenant;
          JobEvent event{.job = job, .status = core::JobStatus::kCompleted};
          const auto read = [&](Row& done) { done.read(tenant, event.revision); };
          BELFRY_TRY(completed, session.db.first(kCompleteJob, read, job, session.now));
          if (completed) session.events.add(tenant, event);
        }
        outcomes.push_back(DecideOutcome::kDecided);
      }
    }
    return outcomes;
  });
}

}  // namespace belfry::store::sqlite
