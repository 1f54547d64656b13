#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/postgres/wire/database.h"

#include <span>

// How jobs get the rules of their calendars, inside the transactions that write jobs; see
// store/calendars.h. A job without a calendar costs nothing.
namespace belfry::store::postgres {

// Gives jobs that are about to be written the rules of their calendars, and keeps others from
// changing these until the transaction ends. kNotFound when there is no such calendar.
Status take_calendars(Transaction& transaction, std::span<JobRow* const> jobs);

// The same for a job that is rescheduled; if the rules differ, it gets a new revision.
Status follow_calendar(Transaction& transaction, const JobRow& before, JobRow& after);

// Call it after the rows of changed jobs are written; a new job's row has its rules already.
Status copy_calendars(Transaction& transaction, std::span<const JobRow* const> jobs);

}  // namespace belfry::store::postgres
