#pragma once

#include "base/result.h"
#include "store/runs.h"
#include "store/sqlite/wire/session.h"

#include <vector>

namespace belfry::store::sqlite {

// RunStore::grant, inside a transaction.
Result<std::vector<ClaimedRun>> grant_runs(const Session& session, const GrantRequest& request);

}  // namespace belfry::store::sqlite
