#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Secrets that jobs name, and the rotation of the keys that seal them.
std::vector<Route> secret_routes();

}  // namespace belfry::api
