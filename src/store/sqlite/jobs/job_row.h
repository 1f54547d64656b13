#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/db.h"

namespace belfry::store::sqlite {

// A job from the columns that every query about jobs selects in the same order.
// The schedule's `key` is not kept here: the caller adds it.
JobRow read_job(Row& row);
// The same, with the columns that only people ask for.
JobRow read_whole_job(Row& row);

void read_schedule(core::ScheduleSpec& schedule, Row& row);
void read_policies(core::JobPolicies& policies, Row& row);

// Inserts or updates the job's row: `sql` is kInsertJob or kUpdateJob, which number their
// parameters alike. The overlap terms are worked out here.
Status write_job(Db& db, std::string_view sql, const JobRow& job, Instant now);

}  // namespace belfry::store::sqlite
