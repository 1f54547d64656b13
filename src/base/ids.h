#pragma once

#include "base/bits128.h"
#include "base/strong.h"

#include <cstdint>
#include <string>

// Ids, one type for each kind of thing; the glossary is in ARCHITECTURE.md.
namespace belfry {

using TenantId = Strong<struct TenantIdTag, std::uint64_t>;

// One of the 256 slices of a region's job space.
using PartitionId = Strong<struct PartitionIdTag, std::uint8_t>;
inline constexpr int kPartitionCount = 256;

// A region of the cluster; jobs live in region 0 unless told otherwise.
using RegionNo = Strong<struct RegionNoTag, std::uint8_t>;

// A partition in the whole cluster: its region, and its slice of that region.
using PartitionNo = Strong<struct PartitionNoTag, std::uint16_t>;

constexpr PartitionNo partition_no(RegionNo region, PartitionId slice) {
  return PartitionNo(static_cast<std::uint16_t>(region.value() * kPartitionCount + slice.value()));
}
constexpr PartitionId slice_of(PartitionNo partition) {
  return PartitionId(static_cast<std::uint8_t>(partition.value() % kPartitionCount));
}

// A serial number with the job's partition in its low 16 bits: wherever an id goes, its partition
// goes with it. At most 63 bits, so that every database can hold it.
using JobId = Strong<struct JobIdTag, std::uint64_t>;

// The serial number decides the slice; consecutive numbers are spread over all slices.
constexpr JobId make_job_id(std::uint64_t serial, RegionNo region) {
  const std::uint64_t mixed = (serial ^ serial >> 15) * 0x9e37'79b9'7f4a'7c15;
  const PartitionId slice(static_cast<std::uint8_t>(mixed >> 56));
  return JobId(serial << 16 | partition_no(region, slice).value());
}
constexpr PartitionNo partition_of(JobId job) {
  return PartitionNo(static_cast<std::uint16_t>(job.value() & 0xffff));
}
constexpr RegionNo region_of(JobId job) {
  return RegionNo(static_cast<std::uint8_t>(partition_of(job).value() / kPartitionCount));
}

// Grows with each change of a partition's owner; a write under an old epoch changes nothing.
using Epoch = Strong<struct EpochTag, std::uint64_t>;

// Grows with every grant of any run of a job; the holder of a lower fence is refused.
using Fence = Strong<struct FenceTag, std::uint64_t>;

// The number of an attempt within its run, counted from 1.
using AttemptNo = Strong<struct AttemptNoTag, std::uint32_t>;

// The job's id and, for a scheduled run, its tick in microseconds: deciding a tick again gives the
// same id, and so does backfilling it. Runs without a tick (manual) have a random lower half with
// the top bit set.
using RunId = Strong<struct RunIdTag, Bits128>;

// One start of one process: drawn at random, because two processes can share a host name.
using Incarnation = Strong<struct IncarnationTag, Bits128>;

template <typename Tag>
std::string to_hex(const Strong<Tag, Bits128>& id) {
  return to_hex(id.value());
}

}  // namespace belfry
