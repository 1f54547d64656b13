#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Why a job did or did not run.
std::vector<Route> explain_routes();

}  // namespace belfry::api
