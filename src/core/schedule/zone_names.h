#pragma once

#include <string>
#include <vector>

namespace belfry::core {

// The names of all time zones that this machine knows, sorted.
std::vector<std::string> zone_names();

}  // namespace belfry::core
