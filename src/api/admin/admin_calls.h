#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Tenants, keys, and what was done by whom.
std::vector<Route> admin_routes();

}  // namespace belfry::api
