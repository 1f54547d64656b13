#pragma once

#include "base/result.h"
#include "store/postgres/bind.h"
#include "store/rows.h"

#include <optional>
#include <span>

namespace belfry::store::postgres {

enum class DecideMode : bool {
  kAdvance,  // an owner's: under its node, and the cursor moves
  kSettle,   // a job change's: the caller has the partition locked, and the cursor stays
};

// The arguments of kDecide.
Params decide_params(std::optional<Instant> now, const Incarnation& node, DecideMode mode,
                     std::span<const PartitionDecision> partitions);

}  // namespace belfry::store::postgres
