#include "store/common/job_rules.h"

#include "store/common/change_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace belfry::store {

Error no_such_job() {
  return {.code = Errc::kNotFound, .message = "there is no such job"};
}

Status check_change(const JobRow& job, const JobStore::JobChange& change) {
  if (job.status == core::JobStatus::kDeleted) return fail(no_such_job());
  if (change.if_revision && *change.if_revision != job.revision) {
    return fail({.code = Errc::kConflict,
                 .message = fmt::format("the job is at revision {} now", job.revision),
                 .field = "revision"});
  }
  return {};
}

Instant takes_effect(Instant now, Instant decided_through, const JobRow* before) {
  const Instant earliest = std::max(now, decided_through);
  return before == nullptr ? earliest : std::max(earliest, before->effective_from);
}

void start_as_asked(JobRow& job, const Registration& request) {
  if (!request.paused) return;
  job.status = core::JobStatus::kPaused;
  job.paused_by = request.author.actor;
}

Status check_quota(std::int64_t existing, std::int64_t added, std::int64_t most) {
  if (most <= 0 || added <= 0 || existing + added <= most) return {};
  return fail(too_many_jobs(existing, added, most));
}

bool has_labels(const JobRow& job) {
  return job.definition.labels != "{}" && job.status != core::JobStatus::kDeleted;
}

bool has_calendar(const JobRow& job) {
  return !job.definition.schedule.calendar_name.empty();
}

Error no_such_calendar(const std::string& name) {
  return {.code = Errc::kNotFound,
          .message = fmt::format("there is no calendar `{}`", name),
          .field = "calendar",
          .hint = "make the calendar first, or leave it out"};
}

Error calendar_in_use(const std::string& job_name) {
  return {.code = Errc::kConflict,
          .message = fmt::format("the job `{}` uses this calendar", job_name),
          .field = "calendar",
          .hint = "remove it from all jobs first"};
}

void count_new_rules(const JobRow& before, JobRow& after) {
  const bool new_rules =
      before.definition.schedule.calendar_rules != after.definition.schedule.calendar_rules;
  if (new_rules && after.revision == before.revision) ++after.revision;
}

}  // namespace belfry::store
