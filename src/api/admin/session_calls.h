#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Signing in and out of the web console, and who is signed in.
std::vector<Route> session_routes();

}  // namespace belfry::api
