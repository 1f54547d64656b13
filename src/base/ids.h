#pragma once

#include "base/bits128.h"
#include "base/strong.h"

#include <cstdint>
#include <string>

// The names of things, one type each; the glossary is in ARCHITECTURE.md.
namespace belfry {

using JobId = Strong<struct JobIdTag, std::uint64_t>;
using TenantId = Strong<struct TenantIdTag, std::uint64_t>;

// One of the 256 slices of the job space.
using PartitionId = Strong<struct PartitionIdTag, std::uint8_t>;
inline constexpr int kPartitionCount = 256;

// Grows with each change of a partition's owner; what is written under an old one changes nothing.
using Epoch = Strong<struct EpochTag, std::uint64_t>;

// Grows with every grant of any run of a job; whoever holds a lower one is refused.
using Fence = Strong<struct FenceTag, std::uint64_t>;

// The how-manieth try of a run, from 1.
using AttemptNo = Strong<struct AttemptNoTag, std::uint32_t>;

using RunId = Strong<struct RunIdTag, Bits128>;

// One start of one process: drawn at random, because two processes can share a host name.
using Incarnation = Strong<struct IncarnationTag, Bits128>;

template <typename Tag>
std::string to_hex(const Strong<Tag, Bits128>& id) {
  return to_hex(id.value());
}

}  // namespace belfry
