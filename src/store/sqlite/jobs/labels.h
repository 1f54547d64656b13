#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

// The table job_labels, kept by the transactions that write jobs. No labels, no cost.
namespace belfry::store::sqlite {

// Before the job's row changes.
Status drop_labels(const Session& session, const JobRow& job);
// After it was written; one that is deleted gets none.
Status add_labels(const Session& session, const JobRow& job);

}  // namespace belfry::store::sqlite
