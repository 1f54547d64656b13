#pragma once

#include "base/json.h"

#include <string>

namespace belfry::service {

// Shown in place of a secret. Sent back, it stands for the secret that is kept.
inline constexpr const char* kHiddenSecret = "********";

// A job's target as callers see it: secrets hidden.
Json shown_target(const std::string& target);

}  // namespace belfry::service
