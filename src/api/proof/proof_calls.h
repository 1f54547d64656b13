#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What the leader has proven by itself, and its signed statements about days.
std::vector<Route> proof_routes();

}  // namespace belfry::api
