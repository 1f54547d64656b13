#pragma once

#include "store/bulk.h"
#include "store/postgres/wire/database.h"

// The rows of bulk work.
namespace belfry::store::postgres {

BulkWork read_bulk(Row row);

// Locks the work for a batch. kConflict: it is not this node's, or not where it was.
Status hold_bulk(Transaction& transaction, const BulkWork& work, const Incarnation& node);

// Writes down what a batch did; the work as it is then. kConflict as above.
Result<BulkWork> advance_bulk(Transaction& transaction, std::optional<Instant> now,
                              const BulkStore::Progress& progress);

}  // namespace belfry::store::postgres
