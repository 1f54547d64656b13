#pragma once

#include "base/result.h"

#include <chrono>
#include <string_view>

namespace belfry::core {

// True for `@every ...` in any case.
bool is_every(std::string_view text);

// `@every 1h30m`: the interval. Whole numbers with h, m, s in that order, at least one second.
Result<std::chrono::seconds> parse_every(std::string_view text);

}  // namespace belfry::core
