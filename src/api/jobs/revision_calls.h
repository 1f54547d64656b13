#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What a job was before, and back to it.
std::vector<Route> revision_routes();

}  // namespace belfry::api
