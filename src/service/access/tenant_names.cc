#include "service/access/tenant_names.h"

namespace belfry::service {

std::string TenantNames::name_of(TenantId tenant) {
  {
    const MutexLock lock(mutex_);
    const auto found = names_.find(tenant);
    if (found != names_.end()) return found->second;
  }
  const auto row = store_.find_tenant(tenant);
  if (!row) return "tenant-" + std::to_string(tenant.value());
  const MutexLock lock(mutex_);
  return names_[tenant] = row->name;
}

void TenantNames::forget() {
  const MutexLock lock(mutex_);
  names_.clear();
}

}  // namespace belfry::service
