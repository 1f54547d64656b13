#pragma once

#include "store/tenants.h"

#include <string>
#include <utility>

namespace belfry::service {

// A tenant as it is unless somebody says otherwise: generous, but not without limits. The tenant
// "default" is a node's own, and has none but the number of its jobs.
inline store::Tenant usual_tenant(std::string name) {
  store::Tenant tenant{.id = {}, .name = std::move(name)};
  if (tenant.name == "default") return tenant;
  tenant.max_in_flight = 10'000;
  tenant.max_requests = 1'000;
  return tenant;
}

}  // namespace belfry::service
