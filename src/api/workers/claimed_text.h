#pragma once

#include "service/services.h"
#include "service/work/work.h"
#include "store/runs.h"

#include <span>
#include <string>

namespace belfry::api {

// {"runs": [...]}, as workers get them. Written as text right away: thousands of runs a second go
// this way, and a tree of each would cost more than everything else about it.
std::string claimed_text(const service::Services& services, std::span<const store::ClaimedRun> runs,
                         const service::AskedFor& asked);

}  // namespace belfry::api
