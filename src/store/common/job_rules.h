#pragma once

#include "base/error.h"
#include "base/result.h"
#include "store/jobs.h"

#include <cstdint>
#include <string>

// The rules that every store follows when it writes a job. What a change makes of it is
// in change_rules.h.
namespace belfry::store {

Error no_such_job();

// kNotFound when the job is deleted, kConflict when its revision is not the one the change wants.
Status check_change(const JobRow& job, const JobStore::JobChange& change);

// When a definition that is written now takes effect. Never earlier than the one before it, even
// if the database's clock went back: ticks must not change hands twice. `before` is null for a
// new job.
Instant takes_effect(Instant now, Instant decided_through, const JobRow* before);

// A new job is paused if its request says so.
void start_as_asked(JobRow& job, const Registration& request);

// kQuotaExceeded when a tenant with `existing` jobs wants `added` more and may have `most`. Zero
// means no limit.
Status check_quota(std::int64_t existing, std::int64_t added, std::int64_t most);

// Whether the job can be found by its labels.
bool has_labels(const JobRow& job);

bool has_calendar(const JobRow& job);
Error no_such_calendar(const std::string& name);
Error calendar_in_use(const std::string& job_name);
// Gives a rescheduled job a new revision if its calendar's rules differ, unless it has one already.
void count_new_rules(const JobRow& before, JobRow& after);

}  // namespace belfry::store
