#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "base/result.h"
#include "store/store.h"

#include <unordered_map>

namespace belfry::api {

// Whose a job is. That never changes, so what was read once holds. Thread-safe.
class JobTenants {
 public:
  explicit JobTenants(store::JobStore& store) : store_(store) {}

  Result<TenantId> find(JobId job);

 private:
  store::JobStore& store_;
  Mutex mutex_;
  std::unordered_map<JobId, TenantId> known_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::api
