#pragma once

#include "base/ids.h"
#include "base/mutex.h"
#include "store/store.h"

#include <string>
#include <unordered_map>

namespace belfry::service {

// Names of tenants. A tenant can be renamed, so what was read is kept until somebody says so here
// (forget), or a restart elsewhere: names are for people, ids decide. Thread-safe.
class TenantNames {
 public:
  explicit TenantNames(store::TenantStore& store) : store_(store) {}

  // Its number in words where the store cannot be asked.
  std::string name_of(TenantId tenant);
  void forget();

 private:
  store::TenantStore& store_;
  Mutex mutex_;
  std::unordered_map<TenantId, std::string> names_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
