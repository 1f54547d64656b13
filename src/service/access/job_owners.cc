#include "service/access/job_owners.h"

namespace belfry::service {
namespace {

constexpr std::size_t kMostKnown = 200'000;

}  // namespace

Result<TenantId> JobOwners::find(JobId job) {
  {
    const MutexLock lock(mutex_);
    const auto found = known_.find(job);
    if (found != known_.end()) return found->second;
  }
  BELFRY_TRY(row, store_.find_job(job));
  const MutexLock lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  known_[job] = row.tenant;
  return row.tenant;
}

}  // namespace belfry::service
