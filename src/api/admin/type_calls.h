#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Job types: their limits, and what their jobs have that do not say.
std::vector<Route> type_routes();

}  // namespace belfry::api
