#pragma once

#include "base/error.h"
#include "base/result.h"
#include "store/jobs.h"

#include <cstdint>
#include <string>

// What every store holds to when it writes a job, besides what a change makes of it
// (change_rules.h).
namespace belfry::store {

Error no_such_job();

// kNotFound when the job is deleted, kConflict when it is not at the revision that the change
// wants.
Status check_change(const JobRow& job, const JobStore::JobChange& change);

// From when on a definition applies that is written now. Never back, also when the database's clock
// was: ticks must not change hands twice. `before` is none for a new job.
Instant takes_effect(Instant now, Instant decided_through, const JobRow* before);

// A new job is paused if its request says so.
void start_as_asked(JobRow& job, const Registration& request);

// kQuotaExceeded when a tenant that has `existing` jobs of at most `most` wants `added` more. With
// zero there is no limit.
Status check_quota(TenantId tenant, std::int64_t existing, std::int64_t added, std::int64_t most);

// Whether the job is to be found by its labels.
bool has_labels(const JobRow& job);

bool has_calendar(const JobRow& job);
Error no_such_calendar(const std::string& name);
Error calendar_in_use(const std::string& job_name);
// Other rules than before make a rescheduled job a new revision, unless it is one already.
void count_new_rules(const JobRow& before, JobRow& after);

}  // namespace belfry::store
