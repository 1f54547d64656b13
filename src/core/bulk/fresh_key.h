#pragma once

#include "core/run.h"

#include <string_view>

namespace belfry::core {

// The key of a run without a tick. The same seed gives the same key, and so the same run.
RunKey fresh_run_key(std::string_view seed);

}  // namespace belfry::core
