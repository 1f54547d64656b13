#pragma once

#include "bench/plans/world.h"

namespace belfry::bench {

// Checks that the plans of the hot statements use their indexes. False when one does not.
bool check_plans(World& world, const char* when);

// Times the hot statements.
void measure_statements(World& world);

// Times claims while somebody's old transaction keeps dead rows from being cleaned up: meanwhile
// `runs` are decided, claimed and completed. False when claims take longer than 20 ms.
bool measure_old_snapshot(World& world, std::size_t runs);

}  // namespace belfry::bench
