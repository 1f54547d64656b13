#pragma once

#include "store/jobs.h"
#include "store/postgres/wire/bind.h"
#include "store/postgres/wire/reply.h"

#include <span>

namespace belfry::store::postgres {

// A job as its partition's owner loads it: a row of the view job_rows up to calendar_revision.
JobRow read_job(Row& row);
// A row of job_rows, with what only people ask for.
JobRow read_whole_job(Row row);

void read_schedule(core::ScheduleSpec& spec, Row& row);
void read_policies(core::JobPolicies& policies, Row& row);

// Arrays of what a user defines, one for each column: id, tenant, name and so on, as update_jobs
// takes them.
void bind_jobs(Params& params, std::span<const JobRow* const> jobs);
// As restate_jobs takes them.
void bind_restated(Params& params, std::span<const JobRow* const> jobs);
// The other columns that update_jobs takes.
void bind_states(Params& params, std::span<const JobRow* const> jobs);

}  // namespace belfry::store::postgres
