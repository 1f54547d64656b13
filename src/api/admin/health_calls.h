#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// What machines ask of a node: is it alive, can it work, how is it doing, what can it do.
std::vector<Route> health_routes();

}  // namespace belfry::api
