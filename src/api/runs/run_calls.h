#pragma once

#include "api/frame/router.h"

#include <vector>

namespace belfry::api {

// Runs: making them by hand, listing, cancelling, running again; and the ledger of a job.
std::vector<Route> run_routes();

}  // namespace belfry::api
