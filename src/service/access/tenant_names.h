#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "store/store.h"

#include <string>
#include <unordered_map>

namespace belfry::service {

// Names of tenants. A tenant can be renamed: other nodes may show the old name until they restart,
// and this one until forget(). Names are for people; ids decide. Thread-safe.
class TenantNames {
 public:
  explicit TenantNames(store::TenantStore& store) : store_(store) {}

  // Falls back to its number when the store cannot be asked.
  std::string name_of(TenantId tenant);
  void forget();

 private:
  store::TenantStore& store_;
  Mutex mutex_;
  std::unordered_map<TenantId, std::string> names_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
