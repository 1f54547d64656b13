#pragma once

#include "base/strong.h"

#include <cstdint>

// The names of things, one type each; the glossary is in ARCHITECTURE.md.
namespace belfry {

using JobId = Strong<struct JobIdTag, std::uint64_t>;
using TenantId = Strong<struct TenantIdTag, std::uint64_t>;

// One of the 256 slices of the job space.
using PartitionId = Strong<struct PartitionIdTag, std::uint8_t>;
inline constexpr int kPartitionCount = 256;

}  // namespace belfry
