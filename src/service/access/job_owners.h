#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"

#include <unordered_map>

namespace belfry::service {

// Which tenant a job belongs to. That never changes, so answers are remembered. Thread-safe.
class JobOwners {
 public:
  explicit JobOwners(store::JobStore& store) : store_(store) {}

  Result<TenantId> find(JobId job);

 private:
  store::JobStore& store_;
  Mutex mutex_;
  std::unordered_map<JobId, TenantId> known_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
