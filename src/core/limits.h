#pragma once

#include <cstddef>

// Limits that several layers have to agree on.
namespace belfry::core {

inline constexpr std::size_t kMostJobsPerRequest = 10'000;  // all or nothing

}  // namespace belfry::core
