#pragma once

#include "store/jobs.h"
#include "store/postgres/wire/database.h"

#include <optional>

namespace belfry::store::postgres {

// The revision that a tick at this instant belongs to; none: the job did not exist then.
Result<std::optional<RevisionRow>> find_revision_at(Transaction& transaction, JobId job,
                                                    Instant at);

}  // namespace belfry::store::postgres
