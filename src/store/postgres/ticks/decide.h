#pragma once

#include "base/result.h"
#include "store/decisions.h"
#include "store/postgres/ticks/decide_mode.h"
#include "store/postgres/wire/bind.h"

#include <optional>
#include <span>

namespace belfry::store::postgres {

// The arguments of kDecide.
Params decide_params(std::optional<Instant> now, const Incarnation& node, DecideMode mode,
                     std::span<const PartitionDecision> partitions);

}  // namespace belfry::store::postgres
