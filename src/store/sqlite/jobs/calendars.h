#pragma once

#include "base/result.h"
#include "store/jobs.h"
#include "store/sqlite/wire/session.h"

// How jobs get the rules of their calendars, inside the transactions that write jobs;
// see store/calendars.h.
namespace belfry::store::sqlite {

// Gives a job that is about to be written the rules of its calendar. kNotFound when there is no
// such calendar.
Status take_calendar(const Session& session, JobRow& job);
// The same for a job that is rescheduled; if the rules differ, it gets a new revision.
Status follow_calendar(const Session& session, const JobRow& before, JobRow& after);
// Call it after the job's row is written and before its revision is.
Status copy_calendar(const Session& session, const JobRow& before, const JobRow& after);

}  // namespace belfry::store::sqlite
