#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Whether the audit is as it was written.
std::vector<Route> audit_routes();

}  // namespace belfry::api
