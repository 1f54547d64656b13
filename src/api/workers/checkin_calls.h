#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Check-ins: what work that is done elsewhere reports, and by which token.
std::vector<Route> checkin_routes();

}  // namespace belfry::api
