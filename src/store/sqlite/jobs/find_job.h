#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

namespace belfry::store::sqlite {

// Finds deleted jobs as well, so that their history can be read.
Result<JobRow> find_job(const Session& session, JobId job);

}  // namespace belfry::store::sqlite
