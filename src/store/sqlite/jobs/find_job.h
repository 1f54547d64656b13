#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

namespace belfry::store::sqlite {

// A deleted one too, for whoever looks at its history.
Result<JobRow> find_job(const Session& session, JobId job);

}  // namespace belfry::store::sqlite
