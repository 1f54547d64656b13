#include "api/jobs/job_draft.h"

#include "api/jobs/job_view.h"
#include "api/jobs/schedule_check.h"
#include "core/job_fields.h"
#include "core/queue.h"
#include "core/schedule/calendar.h"
#include "core/target_secrets.h"
#include "store/common/change_rules.h"

#include <memory>
#include <optional>

namespace belfry::api {
namespace {

// Root's call has followed the tenant that its first job names, if there is one.
Status check_tenant(const Services& services, const Call& call, const JobDraft& draft,
                    const std::string& pointer, std::vector<Complaint>& complaints) {
  if (!draft.tenant || *draft.tenant == call.principal.tenant_name) return {};
  if (call.principal.scope == store::Scope::kRoot) {
    const auto tenant = services.store.find_tenant(*draft.tenant);
    if (!tenant && tenant.error().code != Errc::kNotFound) return fail(tenant.error());
    if (!tenant) {
      complaints.push_back({pointer + "/tenant_id", "invalid",
                            "there is no tenant `" + *draft.tenant + "`",
                            "make it with PUT /tenants/" + *draft.tenant});
      return {};
    }
  }
  complaints.push_back({pointer + "/tenant_id", "invalid",
                        "the call is for tenant `" + call.principal.tenant_name + "`",
                        "leave tenant_id out; only a root key may name another tenant, and all "
                        "jobs of a call belong to one tenant"});
  return {};
}

}  // namespace

Result<JobReading> job_reading(const Services& services, const Call& call,
                               const core::JobDefinition* before) {
  BELFRY_TRY(defaults, services.type_defaults.of(call.principal.tenant));
  return JobReading{.now = services.now(), .before = before, .defaults = std::move(defaults)};
}

Status check_may_exec(const Call& call, const core::JobDefinition& wanted,
                      const core::JobDefinition* before) {
  if (call.principal.may_exec) return {};
  return store::check_may_exec(call.principal.actor, before, wanted);
}

Status check_calendar(const Services& services, const Call& call, core::ScheduleSpec& schedule,
                      std::vector<Complaint>& complaints, const std::string& pointer) {
  const std::string& name = schedule.calendar_name;
  if (name.empty()) return {};
  const auto row = services.store.find_calendar(call.principal.tenant, name);
  if (!row && row.error().code != Errc::kNotFound) return fail(row.error());
  if (!row) {
    complaints.push_back({pointer + "/calendar", "invalid", "there is no calendar `" + name + "`",
                          "make it with PUT /calendars/" + name});
    return {};
  }
  auto calendar = core::Calendar::make(name, row->rules, services.zones);
  if (calendar) schedule.calendar = std::make_shared<const core::Calendar>(*std::move(calendar));
  return {};
}

Status check_draft(const Services& services, const Call& call, const JobDraft& draft,
                   const std::string& pointer, std::vector<Complaint>& complaints,
                   const core::JobDefinition* before, GoodSchedules* good) {
  BELFRY_CHECK(check_tenant(services, call, draft, pointer, complaints));
  const core::JobDefinition* job = &draft.definition;
  std::optional<core::JobDefinition> with_calendar;
  if (!job->schedule.calendar_name.empty()) {
    with_calendar = draft.definition;
    BELFRY_CHECK(check_calendar(services, call, with_calendar->schedule, complaints, pointer));
    job = &*with_calendar;
  }
  if (before != nullptr && core::same_ticks(draft.definition, *before)) return {};
  check_schedule(*job, call.principal.tenant, services.zones, services.now(), pointer, complaints,
                 good);
  return {};
}

namespace {

Status check_secret_refs(const Services& services, TenantId tenant, const Json& target,
                         const std::string& pointer, std::vector<Complaint>& complaints) {
  for (const std::string& name : core::secret_refs_in(target)) {
    const auto found = services.store.find_secret(tenant, name);
    if (!found && found.error().code != Errc::kNotFound) return fail(found.error());
    if (found) continue;
    complaints.push_back({pointer + "/target", "invalid", "there is no secret `" + name + "`",
                          "keep it first: belfry secrets put " + name});
  }
  return {};
}

}  // namespace

Status seal_draft(const Services& services, TenantId tenant, JobDraft& draft,
                  const std::string& pointer, std::vector<Complaint>& complaints,
                  const core::JobDefinition* before) {
  std::string& target = draft.definition.target;
  if (core::kind_of_target(target) != core::TargetKind::kHttp || !complaints.empty()) return {};
  if (const auto parsed = parse_json(target)) {
    BELFRY_CHECK(check_secret_refs(services, tenant, *parsed, pointer, complaints));
  }
  auto sealed =
      services.secrets.seal_target(tenant, target, before == nullptr ? "" : before->target);
  if (sealed) {
    target = *std::move(sealed);
  } else if (sealed.error().code == Errc::kInvalid) {
    complaints.push_back(
        {pointer + "/target", "no_key", sealed.error().message, sealed.error().hint});
  } else {
    return fail(sealed.error());
  }
  return {};
}

void check_region_stays(const Services& services, const store::JobRow& job, const JobDraft& draft,
                        std::vector<Complaint>& complaints) {
  const std::string region = services.regions.name_of(region_of(job.id));
  if (!draft.home_region || *draft.home_region == region) return;
  complaints.push_back({"/home_region", "invalid", "the job stays in its region, " + region, ""});
}

std::optional<Problem> follow_tenant(const Services& services, const Json& job, Call& call) {
  if (!job.is_object() || call.principal.scope != store::Scope::kRoot) return {};
  const auto named = job.find("tenant_id");
  if (named == job.end() || !named->is_string()) return {};
  const auto refused =
      services.admission.choose_tenant(named->get_ref<const std::string&>(), call.principal);
  // Nobody's tenant is wrong like any other field, and is complained of together with them.
  if (!refused || refused->kind == service::Refusal::Kind::kNotFound) return {};
  return problem_of(*refused);
}

}  // namespace belfry::api
