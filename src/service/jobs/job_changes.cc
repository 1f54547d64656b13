#include "service/jobs/job_changes.h"

#include "store/decisions.h"

#include <utility>

namespace belfry::service {

void tell_settled(engine::Observer& observer, JobId job, const store::Settled& settled) {
  if (settled.fates == core::Fates()) return;
  store::Decisions decisions;
  append(decisions, job, settled.fates);
  observer.decided(decisions, 0, settled.at);
}

Result<store::JobRow> change_job(store::JobStore& jobs, engine::Observer& observer,
                                 const store::JobStore::JobChange& change) {
  BELFRY_TRY(changed, jobs.change_job(change));
  tell_settled(observer, changed.job.id, changed.settled);
  return std::move(changed.job);
}

}  // namespace belfry::service
