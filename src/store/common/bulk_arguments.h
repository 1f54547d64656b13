#pragma once

#include "base/json.h"
#include "store/bulk.h"

// What is to be done to each job, as a row of bulk work keeps it.
namespace belfry::store {

// {"until": …, "set": {…}, "remove": […], "ready_runs": "cancel"}; only what is asked for.
Json write_arguments(const BulkStore::JobDeed& deed);
// What write_arguments wrote, with the action.
Result<BulkStore::JobDeed> read_deed(const NewBulk& wanted);

}  // namespace belfry::store
