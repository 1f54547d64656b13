#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// How the cluster stands.
std::vector<Route> cluster_routes();

}  // namespace belfry::api
