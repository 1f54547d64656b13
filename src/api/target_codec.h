#pragma once

#include "api/object_reader.h"

#include <string>
#include <vector>

namespace belfry::api {

// What a secret is replaced with when it is shown. Sent back, it stands for the one that is kept.
inline constexpr const char* kHiddenSecret = "********";

// Checks a target and returns it as the store keeps it. `before` is the target the job has, for a
// secret that was sent back hidden; empty: none.
std::string read_target(const Json& target, const std::string& pointer, const std::string& before,
                        std::vector<Complaint>& complaints);

// As the API shows it: secrets hidden.
Json write_target(const std::string& target);

}  // namespace belfry::api
