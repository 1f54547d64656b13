#include "api/jobs/job_view.h"

#include "api/jobs/job_codec.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/schedule/schedule.h"

#include <algorithm>

namespace belfry::api {
namespace {

Error no_such_job(const std::string& named) {
  return {.code = Errc::kNotFound, .message = "there is no job `" + named + "`"};
}

// When it will run next: computed, never stored.
std::string next_run(const Services& services, const store::JobRow& job) {
  const auto after = core::runs_after(job.status, job.paused_until, job.effective_from);
  const auto schedule = schedule_of(services, job);
  if (!after || !schedule) return "";
  const auto next = schedule->next_run(services.now(), *after);
  return next ? local_text(services.zones, job.definition.schedule.timezone, next->starts()) : "";
}

}  // namespace

Result<core::Schedule> schedule_of(const Services& services, const store::JobRow& job) {
  return core::compile_schedule(job.tenant, job.definition.name, job.definition.schedule,
                                services.zones);
}

Result<store::JobRow> find_job(const Services& services, const Call& call) {
  auto found = find_job_even_deleted(services, call);
  if (found && found->status == core::JobStatus::kDeleted) {
    Error gone = no_such_job(call.at("job"));
    gone.message += " any more: it was deleted; its runs, ticks and revisions can still be read";
    return fail(std::move(gone));
  }
  return found;
}

Result<store::JobRow> find_job_even_deleted(const Services& services, const Call& call) {
  const std::string& named = call.at("job");
  if (named.starts_with(kByName)) {
    auto found = services.store.find_job(call.principal.tenant, named.substr(kByName.size()));
    if (!found && found.error().code == Errc::kNotFound) return fail(no_such_job(named));
    return found;
  }
  const auto id = core::read_job_id(named);
  if (!id) return fail(no_such_job(named));
  auto found = services.store.find_job(*id);
  const bool hidden = found && found->tenant != call.principal.tenant;
  if (hidden || (!found && found.error().code == Errc::kNotFound)) return fail(no_such_job(named));
  return found;
}

std::string local_text(core::ZoneCatalog& zones, const std::string& timezone, Instant instant) {
  const auto zone = zones.find(timezone);
  if (!zone) return format_instant(instant);
  const std::int64_t offset = (*zone)->offset_at(floor_unix_seconds(instant));
  return format_instant(instant, static_cast<std::int32_t>(offset));
}

core::JobStatus status_now(const Services& services, const store::JobRow& job) {
  return core::status_at(services.now(), job.status, job.paused_until);
}

Json show_job(const Services& services, const Call& call, const store::JobRow& job,
              const store::JobHealth& health) {
  return write_job(job, {.tenant = call.principal.tenant_name,
                         .home_region = services.regions.name_of(region_of(job.id)),
                         .next_scheduled_run = next_run(services, job),
                         .status = status_now(services, job),
                         .health = health});
}

}  // namespace belfry::api
