#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

std::vector<Route> silence_routes();

}  // namespace belfry::api
