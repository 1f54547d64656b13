#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Creating, reading and changing jobs.
std::vector<Route> job_routes();

}  // namespace belfry::api
