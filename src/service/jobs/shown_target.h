#pragma once

#include "base/json.h"

#include <string>

namespace belfry::service {

// What a secret is replaced with when it is shown. Sent back, it stands for the one that is kept.
inline constexpr const char* kHiddenSecret = "********";

// A job's target as callers see it: secrets hidden.
Json shown_target(const std::string& target);

}  // namespace belfry::service
