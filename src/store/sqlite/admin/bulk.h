#pragma once

#include "store/bulk.h"
#include "store/sqlite/wire/session.h"

// The rows of bulk work.
namespace belfry::store::sqlite {

// Writes down what a batch did; the work as it is then. kConflict: it is not this node's, or not
// where it was.
Result<BulkWork> advance_bulk(const Session& session, const BulkStore::Progress& progress);

}  // namespace belfry::store::sqlite
