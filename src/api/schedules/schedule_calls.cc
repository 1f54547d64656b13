#include "api/schedules/schedule_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/jobs/schedule_check.h"
#include "base/text/instant_text.h"
#include "core/schedule/schedule_words.h"

#include <algorithm>

namespace belfry::api {
namespace {

constexpr std::int64_t kMostInstants = 1'000;

Json write_warnings(const Services& services, const std::string& timezone,
                    const std::vector<core::Warning>& warnings) {
  Json list = Json::array();
  for (const core::Warning& warning : warnings) {
    Json item{{"code", warning.code}, {"message", warning.message}};
    if (warning.at) {
      item["at"] = local_text(services.zones, timezone, from_unix_seconds(*warning.at));
    }
    list.push_back(std::move(item));
  }
  return list;
}

struct PreviewOf {
  const core::ScheduleSpec& spec;  // with its key and calendar
  Instant after;
  Instant begin = Instant::min();  // of the ticks after this
  std::int64_t count = 0;
};

Outcome preview(const Services& services, const PreviewOf& wanted) {
  BELFRY_NEED(schedule, core::Schedule::make(wanted.spec, services.zones));
  BELFRY_NEED(words, core::put_in_words(wanted.spec, schedule, wanted.after));
  Json next = Json::array();
  Json delayed = Json::array();
  Instant at = wanted.after;
  const auto local = [&](Instant instant) {
    return local_text(services.zones, wanted.spec.timezone, instant);
  };
  for (std::int64_t i = 0; i < wanted.count; ++i) {
    const auto found = schedule.next_run(at, wanted.begin);
    if (!found) break;
    at = found->starts();
    next.push_back(local(at));
    if (found->delay == Duration::zero()) continue;
    delayed.push_back({{"scheduled_for", local(found->tick.instant())}, {"starts_at", local(at)}});
  }
  return json_response(
      200, {{"sentence", words.sentence},
            {"timezone", wanted.spec.timezone},
            {"next", std::move(next)},
            {"delayed", std::move(delayed)},
            {"warnings", write_warnings(services, wanted.spec.timezone, words.warnings)}});
}

Outcome next_ticks(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  std::int64_t count = query_number(call.request, "count", 5, 1, kMostInstants, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto after = core::runs_after(job.status, job.paused_until, job.effective_from);
  const core::ScheduleSpec spec =
      core::keyed_for(job.tenant, job.definition.name, job.definition.schedule);
  return preview(services, {.spec = spec,
                            .after = services.now(),
                            .begin = after.value_or(job.effective_from),
                            .count = after ? count : 0});
}

// The body is a job's schedule, with what to show beside it.
Outcome preview_schedule(const Services& services, const Call& call,
                         std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  const Instant from = body.instant("from").value_or(services.now());
  const std::int64_t count = body.integer("count", 1, kMostInstants).value_or(5);
  const std::string name = body.text("job_name", 200).value_or("");
  Json schedule = json.is_object() ? json : Json::object();
  for (const char* own : {"from", "count", "job_name"}) schedule.erase(own);
  core::JobDefinition job;
  job.name = name;
  job.schedule = read_schedule_only(schedule, services.now(), complaints);
  const auto checked = check_calendar(services, call, job.schedule, complaints);
  if (!checked) return checked.error();
  check_schedule(job, call.principal.tenant, services.zones, from, "", complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  const core::ScheduleSpec spec = core::keyed_for(call.principal.tenant, name, job.schedule);
  return preview(services, {.spec = spec, .after = from, .count = count});
}

}  // namespace

std::vector<Route> schedule_routes() {
  return {
      {"GET", "/api/v1/jobs/{job}/next", Access::kRead, at_once(next_ticks), {"count"}},
      {"POST", "/api/v1/schedules/preview", Access::kRead, at_once(preview_schedule)},
  };
}

}  // namespace belfry::api
