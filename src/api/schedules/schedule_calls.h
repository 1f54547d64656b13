#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What schedules mean: the next instants, in words, with warnings; and those of a whole job.
std::vector<Route> schedule_routes();

}  // namespace belfry::api
