#pragma once

#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <span>
#include <vector>

namespace belfry::store::sqlite {

// DecisionStore::decide; store.h says what it does.
Result<DecideResult> decide(const Session& session, const Incarnation& node,
                            std::span<const PartitionDecision> partitions);

// DecisionStore::complete_jobs
Result<std::vector<DecideOutcome>> complete_jobs(const Session& session, const Incarnation& node,
                                                 std::span<const EndedJobs> ended);

}  // namespace belfry::store::sqlite
