#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Work on many jobs or runs at once, and how far it has come.
std::vector<Route> bulk_routes();

}  // namespace belfry::api
