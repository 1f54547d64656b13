#include "rehearse/read_jobs.h"

#include "api/jobs/job_codec.h"
#include "api/jobs/schedule_check.h"
#include "core/schedule/calendar.h"
#include "rehearse/plan.h"

#include <utility>

namespace belfry::rehearse {
namespace {

constexpr Instant kLongAgo{};  // "never fires" means: in no year at all

// Puts the rules in the place of the name.
void take_calendar(core::ScheduleSpec& schedule, const Calendars& calendars,
                   std::vector<service::Complaint>& complaints) {
  if (schedule.calendar_name.empty()) return;
  const auto found = calendars.find(schedule.calendar_name);
  if (found != calendars.end()) {
    schedule.calendar_rules = core::join_rules(found->second);
    return;
  }
  complaints.push_back({"/calendar", "invalid",
                        "the rules of `" + schedule.calendar_name + "` are not known here",
                        "give them with --calendar " + schedule.calendar_name +
                            "=FILE, a rule to a line, or name a server that has it"});
}

}  // namespace

ReadJobs read_jobs(const std::vector<Json>& jobs, const Calendars& calendars,
                   core::ZoneCatalog& zones) {
  ReadJobs read;
  for (const Json& json : jobs) {
    std::vector<service::Complaint> complaints;
    api::JobDraft draft = api::read_job(json, "", {.now = kLongAgo}, complaints);
    core::JobDefinition& job = draft.definition;
    take_calendar(job.schedule, calendars, complaints);
    api::check_schedule(job, kTenant, zones, kLongAgo, "", complaints);
    if (!complaints.empty()) read.bad.push_back({job.name, std::move(complaints)});
    read.jobs.push_back(std::move(job));
  }
  return read;
}

}  // namespace belfry::rehearse
