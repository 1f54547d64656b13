#pragma once

#include "store/sqlite/session.h"
#include "store/store.h"

#include <span>

namespace belfry::store::sqlite {

// DecisionStore::decide; store.h says what it does.
Result<DecideResult> decide(const Session& session, const Incarnation& node,
                            std::span<const PartitionDecision> partitions);

}  // namespace belfry::store::sqlite
