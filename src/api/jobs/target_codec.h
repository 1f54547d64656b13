#pragma once

#include "api/frame/object_reader.h"

#include <string>
#include <vector>

namespace belfry::api {

// Checks a target and returns it as the store keeps it. `before` is the target the job has, for
// secrets that were sent back hidden; empty: none.
std::string read_target(const Json& target, const std::string& pointer, const std::string& before,
                        std::vector<Complaint>& complaints);

}  // namespace belfry::api
