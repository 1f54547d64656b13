#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Registering one job: POST, and PUT by id or by name.
std::vector<Route> registration_routes();

}  // namespace belfry::api
