#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"

// What changed, for those who watch. One transaction writes at a time, so numbers are in order.
namespace belfry::store::sqlite {

// The session's events, one row for each tenant.
Status write_events(const Session& session);

}  // namespace belfry::store::sqlite
