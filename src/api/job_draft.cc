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

// The calendar a name stands for; a complaint when it does not.
std::shared_ptr<const core::Calendar> calendar_of(const Services& services, const Call& call,
                                                  const std::string& name,
                                                  const std::string& pointer,
                                                  std::vector<Complaint>& complaints) {
  if (name.empty()) return nullptr;
  const auto row = services.store.find_calendar(call.principal.tenant, name);
  if (!row) {
    complaints.push_back({pointer + "/calendar", "invalid", "there is no calendar `" + name + "`",
                          "make it with PUT /calendars/" + name});
    return nullptr;
  }
  auto calendar = core::Calendar::make(name, row->rules);
  if (!calendar) return nullptr;
  return std::make_shared<const core::Calendar>(*std::move(calendar));
}

}  // namespace

void check_draft(const Services& services, const Call& call, const JobDraft& draft,
                 const std::string& pointer, std::vector<Complaint>& complaints) {
  check_tenant(call, draft, pointer, complaints);
  if (!complaints.empty()) return;  // the schedule may be half read
  core::JobDefinition job = draft.definition;
  job.schedule.calendar =
      calendar_of(services, call, job.schedule.calendar_name, pointer, complaints);
  check_schedule(job, schedule_key(call.principal.tenant, job.name), services.zones, services.now(),
                 pointer, complaints);
}

}  // namespace belfry::api
