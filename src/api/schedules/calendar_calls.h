#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Calendars of days on which jobs do not run.
std::vector<Route> calendar_routes();

}  // namespace belfry::api
