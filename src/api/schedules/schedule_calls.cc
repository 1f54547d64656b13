#include "api/schedules/schedule_calls.h"

#include "api/frame/context.h"
#include "api/jobs/job_codec.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/jobs/schedule_check.h"
#include "base/text/instant_text.h"
#include "core/queue.h"
#include "core/schedule/schedule_words.h"
#include "service/jobs/target_warning.h"

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

// Where its webhook goes; empty: it has none.
std::string url_of(const store::JobRow& job) {
  if (core::kind_of_target(job.definition.target) != core::TargetKind::kHttp) return {};
  const auto target = parse_json(job.definition.target);
  return target ? target->value("url", "") : "";
}

Json write_warning(const service::TargetWarning& warning) {
  return {{"code", warning.code}, {"message", warning.message}};
}

Result<Json> warnings_of(const Services& services, const store::JobRow& job) {
  const core::ScheduleSpec spec =
      core::keyed_for(job.tenant, job.definition.name, job.definition.schedule);
  BELFRY_TRY(schedule, core::Schedule::make(spec, services.zones));
  BELFRY_TRY(words, core::put_in_words(spec, schedule, services.now()));
  Json warnings = write_warnings(services, spec.timezone, words.warnings);
  if (const auto warning = service::warn_of_queue(job, services.health.report().facts)) {
    warnings.push_back(write_warning(*warning));
  }
  return warnings;
}

// Whether a host has an address is found out on another thread, so that slow name servers keep only
// this answer waiting.
void job_warnings(const Services& services, Call call, const net::Responder& responder) {
  const auto send = [&](Outcome outcome) {
    responder.send(std::move(outcome).to_response(call.request_id));
  };
  const auto job = find_job(services, call);
  if (!job) return send(job.error());
  auto warnings = warnings_of(services, *job);
  if (!warnings) return send(warnings.error());
  const std::string url = url_of(*job);
  if (url.empty()) return send(json_response(200, {{"warnings", *std::move(warnings)}}));
  services.reach.check(url, job->tenant,
                       [responder, list = *std::move(warnings)](const Status& fine) mutable {
                         if (!fine)
                           list.push_back(write_warning(service::warn_of_host(fine.error())));
                         responder.send(json_response(200, {{"warnings", std::move(list)}}));
                       });
}

}  // namespace

std::vector<Route> schedule_routes() {
  return {
      {"GET", "/api/v1/jobs/{job}/next", Access::kRead, at_once(next_ticks), {"count"}},
      {"GET", "/api/v1/jobs/{job}/warnings", Access::kRead, deferred(job_warnings)},
      {"POST", "/api/v1/schedules/preview", Access::kRead, at_once(preview_schedule)},
  };
}

}  // namespace belfry::api
