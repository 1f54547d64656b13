#pragma once

#include "core/run.h"

#include <string_view>

namespace belfry::core {

// The key of a run without a tick: the same seed gives the same key, and no key of a tick that
// anybody could still have.
RunKey key_without_tick(std::string_view seed);

}  // namespace belfry::core
