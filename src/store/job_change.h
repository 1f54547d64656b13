#pragma once

#include "store/store.h"

namespace belfry::store {

// The job as it is after a change; when it takes effect is the store's to say.
JobRow changed(JobRow job, const JobStore::JobChange& change);

// "12 jobs more than the tenant's limit of 100 allows"
Error too_many_jobs(TenantId tenant, std::int64_t existing, std::int64_t added, std::int64_t most);

}  // namespace belfry::store
