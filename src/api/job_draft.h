#pragma once

#include "api/call.h"
#include "api/job_codec.h"
#include "api/services.h"

namespace belfry::api {

// What a draft needs besides its own fields: a schedule that compiles and will run, a calendar and
// a region that exist, a tenant the caller may name.
void check_draft(const Services& services, const Call& call, const JobDraft& draft,
                 const std::string& pointer, std::vector<Complaint>& complaints);

// Puts in the calendar that a schedule names; a complaint when there is none.
void check_calendar(const Services& services, const Call& call, core::ScheduleSpec& schedule,
                    std::vector<Complaint>& complaints, const std::string& pointer = "");

}  // namespace belfry::api
