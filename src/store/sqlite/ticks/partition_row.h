#pragma once

#include "base/result.h"
#include "store/sqlite/wire/session.h"
#include "store/store.h"

#include <optional>

namespace belfry::store::sqlite {

// The serialisation point of a partition's decisions and job changes.
struct PartitionRow {
  std::optional<Incarnation> owner;
  Epoch epoch;
  Instant decided_through;
  JobsVersion version;
};

// kNotFound when the partition's region does not exist.
Result<PartitionRow> read_partition(const Session& session, PartitionNo partition);

}  // namespace belfry::store::sqlite
