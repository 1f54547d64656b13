#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "base/time.h"
#include "store/author.h"

#include <cstdint>
#include <string>
#include <vector>

namespace belfry::store {

// An owner of jobs, and what it may ask for.
struct Tenant {
  TenantId id;
  std::string name;
  std::int32_t weight = 1;          // its share when tenants compete for a worker
  std::int32_t max_in_flight = 0;   // runs at a time; 0: no limit
  std::int32_t max_jobs = 100'000;  // not deleted; 0: no limit
  std::int32_t max_requests = 0;    // of the API, a second; 0: no limit
  Instant created_at = {};          // set by the store
};

class TenantStore {
 public:
  virtual ~TenantStore() = default;

  // With an id, changes that tenant (kNotFound if there is none); without one, makes it, or changes
  // the one of that name. Repeating is harmless.
  virtual Result<TenantId> put_tenant(const Tenant& tenant, const Author& author) = 0;
  Result<TenantId> put_tenant(const Tenant& tenant) { return put_tenant(tenant, {}); }

  virtual Result<Tenant> find_tenant(TenantId tenant) = 0;
  virtual Result<Tenant> find_tenant(const std::string& name) = 0;

  // Ordered by name, those after `after`.
  virtual Result<std::vector<Tenant>> list_tenants(const std::string& after, std::size_t limit) = 0;
};

}  // namespace belfry::store
