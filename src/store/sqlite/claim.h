#pragma once

#include "store/sqlite/session.h"
#include "store/store.h"

#include <vector>

namespace belfry::store::sqlite {

// RunStore::claim; store.h says what it does. `served` is the tenant that the call before this one
// came to last: the next in line goes first, so that many tenants take turns over small claims.
Result<std::vector<ClaimedRun>> claim(const Session& session, const ClaimRequest& request,
                                      TenantId& served);

}  // namespace belfry::store::sqlite
