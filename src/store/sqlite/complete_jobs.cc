#include "store/sqlite/decide.h"
#include "store/sqlite/partition_row.h"
#include "store/sqlite/sql.h"

namespace belfry::store::sqlite {

Result<std::vector<DecideOutcome>> complete_jobs(const Session& session, const Incarnation& node,
                                                 std::span<const Completion> completions) {
  std::vector<DecideOutcome> outcomes;
  for (const Completion& completion : completions) {
    BELFRY_TRY(row, read_partition(session, completion.partition));
    if (row.owner != node || row.epoch != completion.epoch) {
      outcomes.push_back(DecideOutcome::kDeposed);
    } else if (row.version != completion.version) {
      outcomes.push_back(DecideOutcome::kOutdated);
    } else {
      for (const JobId job : completion.jobs) {
        BELFRY_CHECK(session.db.run(kCompleteJob, job, session.now));
      }
      outcomes.push_back(DecideOutcome::kDecided);
    }
  }
  return outcomes;
}

}  // namespace belfry::store::sqlite
