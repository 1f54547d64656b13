#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Registering up to 10,000 jobs in one call.
std::vector<Route> batch_routes();

}  // namespace belfry::api
