#pragma once

#include "cli/frame/session.h"

#include <vector>

namespace belfry::cli {

// Says what would keep jobs that were just made or changed from running: a host without an address,
// a broker that nobody knows, a type without a worker. It is the server that knows; one that does
// not say is not asked again, and nothing of this fails. `jobs` are as they were sent; of those
// that go to the same place one is asked about, and of twenty places at most.
void warn_of_targets(client::Client& client, const std::vector<Json>& jobs, const Session& session);

}  // namespace belfry::cli
