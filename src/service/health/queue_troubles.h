#pragma once

#include "service/health/health_facts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace belfry::service {

// What keeps runs from being taken: nobody who could, nobody with room, a limit, a line. The facts
// have those of the cluster. A part of find_troubles.
std::vector<Trouble> find_queue_troubles(const HealthFacts& facts);

// "1 run", "2 runs".
std::string counted(std::int64_t count, const char* one, const char* many);

}  // namespace belfry::service
