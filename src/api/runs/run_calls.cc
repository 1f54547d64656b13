#include "api/runs/run_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/paging.h"
#include "api/jobs/job_draft.h"
#include "api/jobs/job_view.h"
#include "api/runs/run_codec.h"
#include "base/digest.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "core/run_key.h"
#include "core/schedule/schedule_cache.h"
#include "core/spelling.h"
#include "service/jobs/backfill.h"

#include <limits>
#include <utility>

namespace belfry::api {
namespace {

constexpr std::size_t kLargestPayload = 64 * 1024;

Error no_such_run(const std::string& named) {
  return {.code = Errc::kNotFound, .message = "there is no run `" + named + "`"};
}

// The run that `{run}` stands for, if it is the caller's.
Result<store::RunRow> find_run(const Services& services, const Call& call) {
  const std::string& named = call.at("run");
  const auto ref = core::read_run_id(named);
  if (!ref) return fail(no_such_run(named));
  auto run = services.store.find_run(*ref);
  const bool hidden = run && run->tenant != call.principal.tenant;
  if (hidden || (!run && run.error().code == Errc::kNotFound)) return fail(no_such_run(named));
  return run;
}

net::Response accepted(const Call& call, const store::RunRow& run) {
  net::Response response = json_response(202, write_run(run, call.principal.tenant_name));
  response.headers.set("Location", "/api/v1/runs/" + core::write_run_id(run.run));
  return response;
}

// The key of a run without a tick is negative. The same Idempotency-Key gives the same key, and so
// the same run; without one the key is random.
core::RunKey fresh_key(const Call& call, const std::string& about,
                       std::vector<Complaint>& complaints) {
  const auto given = idempotency_key(call.request, complaints);
  const std::string seed = given ? "key/" + *given + "/" + about : "drawn/" + random_token(24);
  return core::key_without_tick(seed);
}

// By meaning, because stores may order the names differently.
bool same_json(const std::string& a, const std::string& b) {
  return a == b ||
         nlohmann::json::parse(a, nullptr, false) == nlohmann::json::parse(b, nullptr, false);
}

Problem key_reused() {
  return {.status = 422,
          .code = "idempotency_key_reused",
          .title = "This Idempotency-Key was used for another request",
          .detail =
              "this key has a run with another payload; use a new key for each new "
              "request"};
}

// The trace of whoever asks.
std::string_view traceparent_in(const Call& call) {
  return call.request.headers.find("traceparent").value_or("");
}

Outcome trigger_job(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(json, read_body_keeping("/payload", call.request));
  ObjectReader body(json, "", complaints);
  store::RunStore::Trigger wanted{.job = job.id,
                                  .key = fresh_key(call, core::write_job_id(job.id), complaints),
                                  .author = call.author()};
  if (const Json* payload = body.any("payload")) wanted.payload = write_json(*payload);
  if (wanted.payload && wanted.payload->size() > kLargestPayload) {
    body.complain("payload", "too_long", "a payload has at most 64 KiB");
  }
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  if (wanted.payload) {
    core::JobDefinition fed = job.definition;
    fed.payload = *wanted.payload;
    if (const auto may = check_may_exec(call, fed, &job.definition); !may) return may.error();
  }
  BELFRY_NEED(run, services.store.trigger(wanted));
  services.dispatch.wake();
  services.observer.asked(run.run, run.decided_at, traceparent_in(call));
  BELFRY_NEED(shown, services.store.find_run(run.run));
  // A key that was used before belongs to that run, whatever is asked for now.
  if (wanted.payload && !same_json(*wanted.payload, shown.payload)) return key_reused();
  return accepted(call, shown);
}

void tell_of_backfill(const Services& services, const Call& call, JobId job,
                      const std::vector<Tick>& created) {
  for (const Tick tick : created) {
    services.observer.asked({job, core::run_key_of(tick)}, services.now(), traceparent_in(call));
  }
}

Outcome backfill_job(const Services& services, const Call& call,
                     std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job(services, call));
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  body.require("from");
  body.require("to");
  const auto from = body.instant("from");
  const auto to = body.instant("to");
  const bool dry_run = body.boolean("dry_run").value_or(false);
  body.refuse_others();
  if (from && to && *to < *from) body.complain("to", "invalid", "it ends before it starts");
  if (!complaints.empty()) return invalid(std::move(complaints));
  core::ScheduleCache schedules(services.zones);
  BELFRY_NEED(
      report,
      service::backfill(
          services.store, schedules,
          {.job = job.id, .from = *from, .to = *to, .dry_run = dry_run, .author = call.author()}));
  if (!dry_run) {
    services.dispatch.wake();
    tell_of_backfill(services, call, job.id, report.created);
  }
  Json existing = Json::array();
  for (const Tick tick : report.existing) {
    existing.push_back({{"run_id", core::write_run_id({job.id, core::run_key_of(tick)})},
                        {"scheduled_for", format_instant(tick.instant())}});
  }
  return json_response(200, {{"dry_run", dry_run},
                             {"ticks", report.ticks},
                             {"created", report.created.size()},
                             {"excluded", report.excluded},
                             {"undecided", report.undecided},
                             {"existing", std::move(existing)}});
}

// ---- Lists

// A run that failed for good is DEAD; people ask for what has failed.
std::optional<core::RunState> state_meant(std::string_view word) {
  const auto state = core::meaning_of(word, core::kRunStates);
  return state == core::RunState::kFailed ? core::RunState::kDead : state;
}

Outcome answer_runs(const Services& services, const Call& call, store::RunFilter filter,
                    std::vector<Complaint> complaints) {
  filter.from = query_instant(call.request, "from", complaints);
  filter.to = query_instant(call.request, "to", complaints);
  filter.with_result = true;
  std::string filter_text = call.request.path;
  for (const char* name : {"from", "to", "state"}) {
    filter_text += "\n" + std::string(call.request.parameter(name).value_or(""));
  }
  if (const auto state = call.request.parameter("state")) {
    filter.state = state_meant(*state);
    if (!filter.state) {
      complaints.push_back({"?state", "invalid", "`" + std::string(*state) + "` is not a state",
                            "READY, RUNNING, RETRYING, SUCCEEDED, FAILED, DEAD, CANCELLED or "
                            "TIMED_OUT"});
    }
  }
  const Page page = read_page(call.request, filter_text, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.list_runs(filter, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::RunRow& run : found.runs) {
    items.push_back(write_run(run, call.principal.tenant_name));
  }
  return page_response(call.request, std::move(items), found.next, filter_text);
}

Outcome list_runs(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  return answer_runs(services, call, {.tenant = call.principal.tenant}, std::move(complaints));
}

Outcome list_job_runs(const Services& services, const Call& call,
                      std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job_even_deleted(services, call));
  return answer_runs(services, call, {.tenant = call.principal.tenant, .job = job.id},
                     std::move(complaints));
}

Outcome list_ticks(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(job, find_job_even_deleted(services, call));
  store::LedgerWindow window{.job = job.id};
  window.from = query_instant(call.request, "from", complaints);
  window.to = query_instant(call.request, "to", complaints);
  const std::string order(call.request.parameter("order").value_or("newest"));
  if (order == "oldest") window.order = store::Order::kOldestFirst;
  if (order != "oldest" && order != "newest") {
    complaints.push_back({"?order", "invalid", "`" + order + "` is not newest or oldest", ""});
  }
  std::string filter_text = call.request.path + "\n" + order;
  for (const char* name : {"from", "to"}) {
    filter_text += "\n" + std::string(call.request.parameter(name).value_or(""));
  }
  const Page page = read_page(call.request, filter_text, complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(found, services.store.ledger(window, page.cursor, page.limit));
  Json items = Json::array();
  for (const store::LedgerEntry& entry : found.entries) {
    items.push_back(std::visit([](const auto& row) { return write_tick(row); }, entry));
  }
  return page_response(call.request, std::move(items), found.next, filter_text);
}

// ---- One run

Outcome get_run(const Services& services, const Call& call) {
  BELFRY_NEED(run, find_run(services, call));
  BELFRY_NEED(attempts, services.store.attempts_of(run.run));
  return json_response(200, write_run_detail(run, call.principal.tenant_name, attempts));
}

// What its worker showed of an attempt, even while it goes on.
Outcome get_log(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  const std::int64_t attempt = query_number(call.request, "attempt", 0, 1,
                                            std::numeric_limits<std::int32_t>::max(), complaints);
  if (!complaints.empty()) return invalid(std::move(complaints));
  BELFRY_NEED(run, find_run(services, call));
  std::optional<AttemptNo> wanted;
  if (attempt > 0) wanted = AttemptNo(static_cast<std::uint32_t>(attempt));
  BELFRY_NEED(log, services.store.find_log(run.run, wanted));
  return json_response(200, write_log(run.run, log));
}

std::optional<Problem> refuse_body(const Call& call, std::vector<Complaint> complaints) {
  const auto json = read_body(call.request);
  if (!json) return problem_of(json.error());
  ObjectReader(*json, "", complaints).refuse_others();
  if (complaints.empty()) return {};
  return invalid(std::move(complaints));
}

Outcome cancel_run(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(run, find_run(services, call));
  if (auto problem = refuse_body(call, std::move(complaints))) return *std::move(problem);
  BELFRY_NEED(cancelled, services.store.cancel_run(run.run, call.author()));
  BELFRY_NEED(now, services.store.find_run(run.run));
  if (!cancelled && now.state != core::RunState::kCancelled) {
    return Problem{
        .status = 409,
        .code = "run_over",
        .title = "The run is over",
        .detail = "it has ended as " + std::string(core::word_for(now.state, core::kRunStates))};
  }
  return json_response(200, write_run(now, call.principal.tenant_name));
}

Outcome unstick_run(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(run, find_run(services, call));
  BELFRY_NEED(json, read_body(call.request));
  ObjectReader body(json, "", complaints);
  const auto note = body.text("note", 1'000);
  body.refuse_others();
  if (!complaints.empty()) return invalid(std::move(complaints));
  const std::string why = "taken from its worker by " + call.author().actor +
                          (note && !note->empty() ? ": " + *note : "");
  BELFRY_NEED(unstuck, services.store.unstick_run(run.run, why, call.author()));
  BELFRY_NEED(now, services.store.find_run(run.run));
  if (unstuck) {
    services.dispatch.wake();
    return json_response(200, write_run(now, call.principal.tenant_name));
  }
  const bool waits = core::is_live(now.state);
  return Problem{
      .status = 409,
      .code = waits ? "run_not_running" : "run_over",
      .title = waits ? "Nobody holds the run" : "The run is over",
      .detail =
          waits ? "only a running run can be taken from its worker; cancel one that waits"
                : "it has ended as " + std::string(core::word_for(now.state, core::kRunStates))};
}

Outcome retry_run(const Services& services, const Call& call, std::vector<Complaint> complaints) {
  BELFRY_NEED(run, find_run(services, call));
  const core::RunKey fresh = fresh_key(call, core::write_run_id(run.run), complaints);
  if (auto problem = refuse_body(call, std::move(complaints))) return *std::move(problem);
  BELFRY_NEED(again, services.store.retry_run({.run = run.run,
                                               .fresh = fresh,
                                               .may_exec = call.principal.may_exec,
                                               .author = call.author()}));
  services.dispatch.wake();
  if (again.run != run.run) {
    services.observer.asked(again.run, again.decided_at, traceparent_in(call));
  }
  BELFRY_NEED(shown, services.store.find_run(again.run));
  return accepted(call, shown);
}

}  // namespace

std::vector<Route> run_routes() {
  const std::string job = "/api/v1/jobs/{job}";
  const std::string run = "/api/v1/runs/{run}";
  const std::vector<std::string> of_runs{"from", "to", "state", "cursor", "limit"};
  const std::vector<std::string> of_ticks{"from", "to", "order", "cursor", "limit"};
  return {
      {"POST", job + "/trigger", Access::kOperate, at_once(trigger_job)},
      {"POST", job + "/backfill", Access::kOperate, at_once(backfill_job)},
      {"GET", job + "/runs", Access::kRead, at_once(list_job_runs), of_runs},
      {"GET", job + "/ticks", Access::kRead, at_once(list_ticks), of_ticks},
      {"GET", "/api/v1/runs", Access::kRead, at_once(list_runs), of_runs},
      {"GET", run, Access::kRead, at_once(get_run)},
      {"GET", run + "/log", Access::kRead, at_once(get_log), {"attempt"}},
      {"POST", run + "/cancel", Access::kOperate, at_once(cancel_run)},
      {"POST", run + "/unstick", Access::kOperate, at_once(unstick_run)},
      {"POST", run + "/retry", Access::kOperate, at_once(retry_run)},
  };
}

}  // namespace belfry::api
