#pragma once

#include "base/ids.h"
#include "service/access/rate_limit.h"
#include "store/access.h"
#include "store/author.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::service {

// Who calls, and for which tenant.
struct Principal {
  TenantId tenant;
  std::string tenant_name;
  store::Scope scope = store::Scope::kViewer;
  std::string actor;               // for the audit: "key:deploy", "anonymous@127.0.0.1"
  std::string key_id;              // empty: none
  bool has_key = true;             // without one: the owner of a machine that has none yet
  bool all_tenants = false;        // root, who named none: workers of all tenants
  bool may_exec = false;           // make and change jobs that run commands
  std::uint32_t max_requests = 0;  // a second; 0: no limit
  RateLimiter::Verdict rate = {};  // and what is left of them
};

// What a route asks of its caller.
enum class Access : std::uint8_t {
  kPublic,      // no key at all
  kRead,        // viewers, operators and admins
  kOperate,     // operators and admins
  kWork,        // workers, operators and admins
  kAdminister,  // admins, of their tenant
  kMetrics,     // a scraper's key, and root
  kRoot,        // root: what belongs to no tenant
};

bool allows(store::Scope scope, Access access);

// "read", as the OpenAPI document spells it.
std::string_view name_of(Access access);

}  // namespace belfry::service
