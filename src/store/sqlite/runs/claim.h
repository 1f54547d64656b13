#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <vector>

namespace belfry::store::sqlite {

// RunStore::claim; store.h says what it does.
Result<std::vector<ClaimedRun>> claim(const Session& session, const ClaimRequest& request);

}  // namespace belfry::store::sqlite
