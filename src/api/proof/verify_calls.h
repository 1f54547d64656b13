#pragma once

#include "api/frame/router.h"
#include "base/time.h"

#include <vector>

namespace belfry::api {

// What the ledger has against what the definitions ask for. `retention` is how long it is kept.
std::vector<Route> verify_routes(Duration retention);

}  // namespace belfry::api
