#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What changes, as it changes: server-sent events.
std::vector<Route> event_routes();

}  // namespace belfry::api
