#include "api/job_draft.h"

#include "api/job_view.h"
#include "core/calendar.h"

#include <memory>

namespace belfry::api {
namespace {

void check_tenant(const Call& call, const JobDraft& draft, const std::string& pointer,
                  std::vector<Complaint>& complaints) {
  if (!draft.tenant || *draft.tenant == call.principal.tenant_name) return;
  complaints.push_back({pointer + "/tenant_id", "invalid",
                        "the caller belongs to tenant `" + call.principal.tenant_name + "`",
                        "leave tenant_id out; an admin names another tenant with the header "
                        "Belfry-Tenant"});
}

}  // namespace

void check_calendar(const Services& services, const Call& call, core::ScheduleSpec& schedule,
                    std::vector<Complaint>& complaints, const std::string& pointer) {
  const std::string& name = schedule.calendar_name;
  if (name.empty()) return;
  const auto row = services.store.find_calendar(call.principal.tenant, name);
  if (!row) {
    complaints.push_back({pointer + "/calendar", "invalid", "there is no calendar `" + name + "`",
                          "make it with PUT /calendars/" + name});
    return;
  }
  auto calendar = core::Calendar::make(name, row->rules);
  if (calendar) schedule.calendar = std::make_shared<const core::Calendar>(*std::move(calendar));
}

void check_draft(const Services& services, const Call& call, const JobDraft& draft,
                 const std::string& pointer, std::vector<Complaint>& complaints) {
  check_tenant(call, draft, pointer, complaints);
  if (!complaints.empty()) return;  // the schedule may be half read
  core::JobDefinition job = draft.definition;
  check_calendar(services, call, job.schedule, complaints, pointer);
  check_schedule(job, schedule_key(call.principal.tenant, job.name), services.zones, services.now(),
                 pointer, complaints);
}

}  // namespace belfry::api
