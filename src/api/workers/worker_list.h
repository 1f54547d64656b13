#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Who takes runs, and what waits for them.
std::vector<Route> worker_list_routes();

}  // namespace belfry::api
