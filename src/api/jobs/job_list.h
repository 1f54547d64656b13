#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Lists of jobs.
std::vector<Route> job_list_routes();

}  // namespace belfry::api
