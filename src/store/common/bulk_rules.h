#pragma once

#include "store/bulk.h"

#include <optional>
#include <string>

// What bulk work makes of a job, and of its own row: the rules that every store applies.
namespace belfry::store {

// How many names a batch looks at: what it costs is bounded even if few of them match.
inline constexpr std::size_t kLookPerBatch = 5'000;

// The change of one job; none if there is nothing to do. The verdict is core's, as for a call
// about one job.
std::optional<JobStore::JobChange> bulk_change(const JobRow& job, const BulkWork& work,
                                               const BulkStore::JobDeed& deed, Instant now);

// The search for the next batch.
BulkStore::JobSearch search_of(const BulkStore::Batch& batch);

Error no_such_bulk(std::uint64_t id);
Error bulk_moved_on();

}  // namespace belfry::store
