#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Registering jobs: one, one by name, ten thousand.
std::vector<Route> registration_routes();

}  // namespace belfry::api
