#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What workers say: claim, heartbeat, complete.
std::vector<Route> worker_routes();

}  // namespace belfry::api
