#pragma once

#include "api/frame/call.h"
#include "api/frame/context.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/schedule_check.h"

namespace belfry::api {

// How jobs of this call are read: with the defaults of the tenant's types.
Result<JobReading> job_reading(const Services& services, const Call& call,
                               const core::JobDefinition* before = nullptr);

// Checks what a draft needs besides its own fields: a schedule that compiles and will run, a
// calendar that exists, a tenant the caller may name. A schedule that stays as it was `before` may
// be over. An error is the store's: then nothing is known.
Status check_draft(const Services& services, const Call& call, const JobDraft& draft,
                   const std::string& pointer, std::vector<Complaint>& complaints,
                   const core::JobDefinition* before = nullptr, GoodSchedules* good = nullptr);

// Whether the caller may make this of the job that was there `before` (null: there was none); see
// store/common/change_rules.h. kForbidden.
Status check_may_exec(const Call& call, const core::JobDefinition& wanted,
                      const core::JobDefinition* before = nullptr);
// Seals the secrets of a draft: the last step before it is compared or stored. `before` is what the
// job is now. A secret that cannot be kept, or that is named and does not exist, is a complaint.
Status seal_draft(const Services& services, TenantId tenant, JobDraft& draft,
                  const std::string& pointer, std::vector<Complaint>& complaints,
                  const core::JobDefinition* before = nullptr);

// Complains when a draft names another region: a job stays in its region.
void check_region_stays(const Services& services, const store::JobRow& job, const JobDraft& draft,
                        std::vector<Complaint>& complaints);

// Fills in the calendar that a schedule names; a complaint when there is none.
Status check_calendar(const Services& services, const Call& call, core::ScheduleSpec& schedule,
                      std::vector<Complaint>& complaints, const std::string& pointer = "");

// Root may name another tenant in the job itself: then the call is for that tenant.
std::optional<Problem> follow_tenant(const Services& services, const Json& job, Call& call);

}  // namespace belfry::api
