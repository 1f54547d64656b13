#include "api/bulk/bulk_calls.h"

#include "api/bulk/bulk_body.h"
#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "service/jobs/bulk_survey.h"
#include "store/common/bulk_arguments.h"

#include <charconv>
#include <utility>

namespace belfry::api {
namespace {

constexpr core::Words<store::BulkState, 3> kStates{{{"RUNNING", store::BulkState::kRunning},
                                                    {"DONE", store::BulkState::kDone},
                                                    {"STOPPED", store::BulkState::kStopped}}};

Json write_bulk(const store::BulkWork& work) {
  const store::NewBulk& wanted = work.wanted;
  const auto finished = work.finished_at;
  return {{"bulk_id", std::to_string(work.id)},
          {"object", wanted.object},
          {"action", wanted.action},
          {"selector", parse_json(wanted.selector).value_or(Json::object())},
          {"arguments", parse_json(wanted.arguments).value_or(Json::object())},
          {"state", core::word_for(work.state, kStates)},
          {"total", wanted.total},
          {"exact", wanted.exact},
          {"done", work.done},
          {"skipped", work.skipped},
          {"failed", work.failed},
          {"error", work.error},
          {"note", wanted.note},
          {"created_by", wanted.author.actor},
          {"created_at", format_instant(work.created_at)},
          {"finished_at", finished ? Json(format_instant(*finished)) : Json()}};
}

Outcome begin(const Services& services, const Call& call, store::NewBulk wanted) {
  wanted.tenant = call.principal.tenant;
  wanted.author = call.author();
  BELFRY_NEED(work, services.store.begin_bulk(wanted));
  const bool same = work.wanted.object == wanted.object && work.wanted.action == wanted.action &&
                    work.wanted.selector == wanted.selector &&
                    work.wanted.arguments == wanted.arguments;
  if (!same) {
    return Problem{.status = 422,
                   .code = "idempotency_key_reused",
                   .title = "This Idempotency-Key was used for another request",
                   .detail = "use a new key for each new request"};
  }
  services.wake_bulk();
  net::Response response = json_response(202, write_bulk(work));
  response.headers.set("Location", "/api/v1/bulk/" + std::to_string(work.id));
  return response;
}

Outcome change_jobs(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  const JobsAsked asked = read_jobs_asked(json, services.now(), complaints);
  const auto key = idempotency_key(call.request, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(survey, service::survey_jobs(services.store, call.principal.tenant, asked.selector));
  if (asked.dry_run) {
    Json samples = Json::array();
    for (const auto& [id, name] : survey.samples) {
      samples.push_back({{"job_id", core::write_job_id(id)}, {"job_name", name}});
    }
    return json_response(200, {{"dry_run", true},
                               {"matched", survey.matched},
                               {"exact", survey.exact},
                               {"samples", std::move(samples)}});
  }
  return begin(services, call,
               {.object = "jobs",
                .action = std::string(core::word_for(asked.deed.action, core::kJobActions)),
                .selector = write_json(core::write_selector(asked.selector)),
                .arguments = write_json(store::write_arguments(asked.deed)),
                .note = asked.note,
                .total = survey.matched,
                .exact = survey.exact,
                .request_key = key});
}

// Runs of others' jobs are not to be touched, nor counted.
Status check_job(const Services& services, const Call& call, const core::RunSelector& selector) {
  if (!selector.job) return {};
  const auto job = services.store.find_job(*selector.job);
  const bool hidden = job && job->tenant != call.principal.tenant;
  if (!hidden && (job || job.error().code != Errc::kNotFound)) return {};
  return fail(Errc::kNotFound, "there is no job `" + core::write_job_id(*selector.job) + "`");
}

Outcome change_runs(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  const RunsAsked asked = read_runs_asked(json, complaints);
  const auto key = idempotency_key(call.request, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (const auto owned = check_job(services, call, asked.selector); !owned) return owned.error();
  BELFRY_NEED(survey, service::survey_runs(services.store, call.principal.tenant, asked.selector));
  if (asked.dry_run) {
    Json samples = Json::array();
    for (const store::RunRow& run : survey.samples) {
      samples.push_back({{"run_id", core::write_run_id(run.run)}, {"job_name", run.job_name}});
    }
    return json_response(200, {{"dry_run", true},
                               {"matched", survey.matched},
                               {"exact", survey.exact},
                               {"samples", std::move(samples)}});
  }
  return begin(services, call,
               {.object = "runs",
                .action = std::string(core::word_for(asked.action, core::kRunActions)),
                .selector = write_json(core::write_selector(asked.selector)),
                .arguments = "{}",
                .note = asked.note,
                .total = survey.matched,
                .exact = survey.exact,
                .request_key = key});
}

std::optional<std::uint64_t> read_id(std::string_view text) {
  std::int64_t id = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || stop != text.data() + text.size() || id < 0) return {};
  return static_cast<std::uint64_t>(id);
}

Error no_such_work(const Call& call) {
  return {.code = Errc::kNotFound, .message = "there is no bulk work `" + call.at("bulk") + "`"};
}

Outcome get_bulk(const Services& services, const Call& call) {
  const auto id = read_id(call.at("bulk"));
  if (!id) return no_such_work(call);
  BELFRY_NEED(work, services.store.find_bulk(call.principal.tenant, *id));
  return json_response(200, write_bulk(work));
}

Outcome stop_bulk(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader(json, "", complaints).refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const auto id = read_id(call.at("bulk"));
  if (!id) return no_such_work(call);
  BELFRY_NEED(work, services.store.stop_bulk(call.principal.tenant, *id, call.author()));
  return json_response(200, write_bulk(work));
}

Outcome list_bulk(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const Page page = read_page(call.request, "", complaints);
  const auto before = page.cursor.empty() ? std::nullopt : read_id(page.cursor);
  if (!page.cursor.empty() && !before) {
    complaints.push_back({"?cursor", "invalid", "this is not a cursor of this list", ""});
  }
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_bulk(call.principal.tenant, before, page.limit + 1));
  std::optional<std::string> next;
  if (found.size() > page.limit) {
    found.pop_back();
    next = std::to_string(found.back().id);
  }
  Json items = Json::array();
  for (const store::BulkWork& work : found) items.push_back(write_bulk(work));
  return page_response(call.request, std::move(items), next, "");
}

}  // namespace

std::vector<Route> bulk_routes() {
  const std::string bulk = "/api/v1/bulk";
  return {
      {"POST", "/api/v1/jobs:bulk", Access::kOperate, at_once(change_jobs)},
      {"POST", "/api/v1/runs:bulk", Access::kOperate, at_once(change_runs)},
      {"GET", bulk, Access::kRead, at_once(list_bulk), {"cursor", "limit"}},
      {"GET", bulk + "/{bulk}", Access::kRead, at_once(get_bulk)},
      {"POST", bulk + "/{bulk}/stop", Access::kOperate, at_once(stop_bulk)},
  };
}

}  // namespace belfry::api
