#include "store/job_change.h"

#include <fmt/format.h>

namespace belfry::store {

using core::JobStatus;

JobRow changed(JobRow job, const JobStore::JobChange& change) {
  const JobStatus before = job.status;
  if (change.definition) job.definition = *change.definition;
  if (change.status) {
    job.status = *change.status;
  } else if (change.definition && change.reschedules && before == JobStatus::kCompleted) {
    job.status = JobStatus::kActive;
  }
  if (change.status || change.paused_until) job.paused_until = change.paused_until;
  if (job.status != JobStatus::kPaused) job.paused_until.reset();
  if (change.definition || job.status != before) ++job.revision;
  return job;
}

Error too_many_jobs(TenantId tenant, std::int64_t existing, std::int64_t added, std::int64_t most) {
  return {.code = Errc::kQuotaExceeded,
          .message = fmt::format("tenant {} has {} jobs of at most {}; {} more are too many",
                                 tenant.value(), existing, most, added),
          .field = "max_jobs",
          .hint = "delete jobs that are not needed, or raise the tenant's max_jobs"};
}

}  // namespace belfry::store
