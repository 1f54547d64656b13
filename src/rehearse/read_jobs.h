#pragma once

#include "base/json.h"
#include "core/job.h"
#include "core/schedule/zone_catalog.h"
#include "service/refusal.h"

#include <map>
#include <string>
#include <vector>

namespace belfry::rehearse {

// The rules of calendars, by their names.
using Calendars = std::map<std::string, std::vector<std::string>>;

// What is wrong with a job.
struct BadJob {
  std::string job;
  std::vector<service::Complaint> complaints;
};

struct ReadJobs {
  std::vector<core::JobDefinition> jobs;
  std::vector<BadJob> bad;
};

// Jobs as users write them, read and checked as the API does it. A calendar that is not among
// these is a complaint about the job that names it. A schedule that fires only outside the time of
// a rehearsal is fine.
ReadJobs read_jobs(const std::vector<Json>& jobs, const Calendars& calendars,
                   core::ZoneCatalog& zones);

}  // namespace belfry::rehearse
