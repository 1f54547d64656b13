#include "api/worker_calls.h"

#include "api/ids_text.h"
#include "api/object_reader.h"
#include "api/services.h"
#include "api/target_codec.h"
#include "base/instant_text.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace belfry::api {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kMostRuns = 1'000;
constexpr std::int64_t kLongestLease = 3'600;
constexpr std::int64_t kLongestWait = 60;
constexpr std::int64_t kLongestPutOff = 86'400;
constexpr std::size_t kLargestResult = 64 * 1024;

void answer(const net::Responder& responder, const Call& call, Outcome outcome) {
  responder.send(std::move(outcome).to_response(call.request_id));
}

Duration lease_of(ObjectReader& body) {
  return seconds(body.integer("lease_seconds", 1, kLongestLease).value_or(30));
}

// ---- Claim
// --------------------------------------------------------------------------------------

store::Ask read_ask(ObjectReader& body, const Call& call, Duration& wait) {
  store::Ask ask;
  body.require("worker_id", "a name of the worker's own, shown in the history");
  ask.worker = body.text("worker_id", 200).value_or("");
  body.require("job_types", "the types this worker can run, such as [\"default\"]");
  if (body.has("worker_id") && ask.worker.empty()) {
    body.complain("worker_id", "invalid", "it must not be empty");
  }
  const auto types = body.texts("job_types", 100, 200);
  // What other kinds of targets wait in has a blank in its name.
  const auto is_type = [](const std::string& type) {
    return !type.empty() && type.find_first_of(" \n\t") == std::string::npos;
  };
  if (types && (types->empty() || !std::all_of(types->begin(), types->end(), is_type))) {
    body.complain("job_types", "invalid", "a worker needs at least one type, and each is one word");
  }
  ask.job_types = types.value_or(std::vector<std::string>());
  ask.max_runs = static_cast<std::size_t>(body.integer("max_runs", 1, kMostRuns).value_or(1));
  ask.lease = lease_of(body);
  wait = seconds(body.integer("wait_seconds", 0, kLongestWait).value_or(0));
  body.refuse_others();
  if (!call.principal.all_tenants) ask.tenant = call.principal.tenant;
  return ask;
}

Json write_claimed(const Services& services, const store::ClaimedRun& run) {
  const std::string id = write_run_id(run.run);
  return {{"run_id", id},
          {"attempt_id", id + "-" + std::to_string(run.attempt.value())},
          {"attempt", run.attempt.value()},
          {"fence", run.fence.value()},
          {"job_id", write_job_id(run.run.job)},
          {"job_name", run.job_name},
          {"job_type", run.job_type},
          {"tenant_id", services.tenants.name_of(run.tenant)},
          {"scheduled_for", format_instant(run.scheduled_for)},
          {"lease_until", format_instant(run.lease_until)},
          {"deadline", format_instant(run.deadline)},
          {"stands_for", run.stands_for},
          {"idempotency_key", id},
          {"target", write_target(run.target)},
          {"payload", parse_json(run.payload).value_or(Json())}};
}

net::Response claimed_response(const Services& services,
                               const std::vector<store::ClaimedRun>& runs) {
  Json list = Json::array();
  for (const store::ClaimedRun& run : runs) list.push_back(write_claimed(services, run));
  return json_response(200, {{"runs", std::move(list)}});
}

// Waits on the node, not on a thread: whoever finds runs answers. Whatever ends first ends the
// other: a client that leaves takes its question back, and runs that find no client go to the next.
void claim(const Services& services, const Call& call, const net::Responder& responder) {
  const auto json = read_body(call.request);
  if (!json) return answer(responder, call, json.error());
  std::vector<Complaint> complaints;
  ObjectReader body(*json, "", complaints);
  Duration wait{};
  store::Ask ask = read_ask(body, call, wait);
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  ask.until = services.clock.boot_now() + wait;
  const auto asked = services.dispatch.ask(
      std::move(ask), [&services, responder](std::vector<store::ClaimedRun> runs) {
        return responder.send(claimed_response(services, runs));
      });
  if (!asked) return answer(responder, call, asked.error());
  const auto give_up = [&services, id = *asked, responder](net::ParkEnd why) {
    services.dispatch.cancel(id);
    if (why != net::ParkEnd::kGone) responder.send(claimed_response(services, {}));
  };
  // The node answers when the wait is over; the park is there for clients that leave.
  const Duration slack = seconds(5);
  if (!responder.park(wait + slack, give_up)) give_up(net::ParkEnd::kTimeUp);
}

// ---- Grants
// -------------------------------------------------------------------------------------

// A run's id and fence; kept even when wrong, so that places match.
store::RunGrant read_grant(ObjectReader& entry) {
  store::RunGrant grant;
  entry.require("run_id");
  if (const auto id = entry.text("run_id", 64)) {
    const auto run = read_run_id(*id);
    if (run) grant.run = *run;
    if (!run) entry.complain("run_id", "invalid", "`" + *id + "` is not the id of a run");
  }
  entry.require("fence", "the fence that came with the run");
  grant.fence = Fence(static_cast<std::uint64_t>(
      entry.integer("fence", 0, std::numeric_limits<std::int64_t>::max()).value_or(0)));
  return grant;
}

// Grants can be guessed: those of another tenant's jobs are answered as if nobody had them.
bool is_own(const Services& services, const Call& call, const store::RunGrant& grant) {
  if (call.principal.all_tenants) return true;
  const auto tenant = services.job_tenants.find(grant.run.job);
  return tenant && *tenant == call.principal.tenant;
}

template <typename Read>
void read_entries(ObjectReader& body, std::vector<Complaint>& complaints, const Read& read) {
  body.require("runs");
  const Json* runs = body.array("runs");
  if (runs == nullptr) return;
  if (runs->size() > static_cast<std::size_t>(kMostRuns)) {
    body.complain("runs", "too_long", "there are more than 1,000 runs", "send several calls");
    return;
  }
  for (std::size_t i = 0; i < runs->size(); ++i) {
    ObjectReader entry((*runs)[i], body.pointer("runs") + "/" + std::to_string(i), complaints);
    read(entry);
    entry.refuse_others();
  }
}

const char* word_of(store::HeartbeatAnswer answer) {
  switch (answer) {
    case store::HeartbeatAnswer::kExtended: return "EXTENDED";
    case store::HeartbeatAnswer::kCancel: return "CANCEL";
    case store::HeartbeatAnswer::kFenced: break;
  }
  return "FENCED";
}

Json result_of(const store::RunGrant& grant, const char* status) {
  return {{"run_id", write_run_id(grant.run)}, {"answer", status}};
}

void heartbeat(const Services& services, const Call& call, const net::Responder& responder) {
  const auto json = read_body(call.request);
  if (!json) return answer(responder, call, json.error());
  std::vector<Complaint> complaints;
  ObjectReader body(*json, "", complaints);
  const Duration lease = lease_of(body);
  std::vector<store::RunGrant> grants;
  read_entries(body, complaints, [&](ObjectReader& entry) { grants.push_back(read_grant(entry)); });
  body.refuse_others();
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  for (store::RunGrant& grant : grants) {
    if (!is_own(services, call, grant)) grant.fence = Fence(0);  // nobody's
  }
  services.dispatch.heartbeat(
      grants, lease,
      [grants, responder,
       id = call.request_id](const Result<std::vector<store::HeartbeatAnswer>>& answers) {
        if (!answers) {
          responder.send(Outcome(answers.error()).to_response(id));
          return;
        }
        Json results = Json::array();
        for (std::size_t i = 0; i < grants.size(); ++i) {
          results.push_back(result_of(grants[i], word_of((*answers)[i])));
        }
        responder.send(json_response(200, {{"results", std::move(results)}}));
      });
}

// ---- Complete
// -----------------------------------------------------------------------------------

constexpr Words<core::AttemptOutcome, 2> kReported{
    {{"SUCCEEDED", core::AttemptOutcome::kSucceeded}, {"FAILED", core::AttemptOutcome::kFailed}}};

store::Completion read_completion(ObjectReader& entry) {
  store::Completion completion{.grant = read_grant(entry)};
  entry.require("status", "SUCCEEDED or FAILED");
  completion.outcome = entry.word("status", kReported).value_or(core::AttemptOutcome::kSucceeded);
  if (const Json* result = entry.any("result"); result != nullptr && !result->is_null()) {
    completion.result = write_json(*result);
    if (completion.result.size() > kLargestResult) {
      entry.complain("result", "too_long", "a result has at most 64 KiB",
                     "keep it elsewhere and report where");
    }
  }
  completion.error = entry.foreign_text("error", kLargestResult).value_or("");
  completion.retryable = entry.boolean("retryable").value_or(true);
  completion.retry_after =
      seconds(entry.integer("retry_after_seconds", 0, kLongestPutOff).value_or(0));
  return completion;
}

Json completion_result(const store::RunGrant& grant,
                       const Result<store::CompletionAnswer>& answer) {
  if (!answer) return result_of(grant, "RETRY");  // saying the same again is safe, and tells
  return result_of(grant, *answer == store::CompletionAnswer::kOk ? "OK" : "FENCED");
}

void complete(const Services& services, const Call& call, const net::Responder& responder) {
  const auto json = read_body(call.request);
  if (!json) return answer(responder, call, json.error());
  std::vector<Complaint> complaints;
  ObjectReader body(*json, "", complaints);
  std::vector<store::Completion> completions;
  read_entries(body, complaints,
               [&](ObjectReader& entry) { completions.push_back(read_completion(entry)); });
  body.refuse_others();
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  std::vector<store::RunGrant> grants;
  for (store::Completion& completion : completions) {
    if (!is_own(services, call, completion.grant)) completion.grant.fence = Fence(0);
    grants.push_back(completion.grant);
  }
  services.dispatch.complete(
      std::move(completions),
      [grants, responder](const std::vector<Result<store::CompletionAnswer>>& answers) {
        Json results = Json::array();
        for (std::size_t i = 0; i < grants.size(); ++i) {
          results.push_back(completion_result(grants[i], answers[i]));
        }
        responder.send(json_response(200, {{"results", std::move(results)}}));
      });
}

}  // namespace

std::vector<Route> worker_routes() {
  return {
      {"POST", "/api/v1/runs:claim", Access::kWork, claim},
      {"POST", "/api/v1/runs:heartbeat", Access::kWork, heartbeat},
      {"POST", "/api/v1/runs:complete", Access::kWork, complete},
  };
}

}  // namespace belfry::api
