#pragma once

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "core/job_type.h"
#include "store/job_types.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace belfry::service {

// What jobs of a tenant's types have that do not say. Registrations ask for it thousands of times a
// second, so an answer is remembered for a second: another node's change is seen that late, this
// one's at once. Thread-safe.
class TypeDefaults {
 public:
  using ByType = std::map<std::string, core::TypeDefaults>;

  TypeDefaults(store::JobTypeStore& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<std::shared_ptr<const ByType>> of(TenantId tenant);
  void forget(TenantId tenant);

 private:
  struct Known {
    std::shared_ptr<const ByType> types;
    BootInstant read_at;
  };

  store::JobTypeStore& store_;
  const Clock& clock_;
  Mutex mutex_;
  std::unordered_map<TenantId, Known> known_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::service
