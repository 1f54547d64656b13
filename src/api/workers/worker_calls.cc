#include "api/workers/worker_calls.h"

#include "api/frame/context.h"
#include "api/frame/object_reader.h"
#include "api/frame/router.h"
#include "api/frame/same_machine.h"
#include "api/jobs/target_codec.h"
#include "api/workers/claimed_text.h"
#include "core/id_text.h"
#include "service/work/work.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace belfry::api {
namespace {

using std::chrono::seconds;

void answer(const net::Responder& responder, const Call& call, Outcome outcome) {
  send_all_wrong(call, responder, std::move(outcome));
}

Duration lease_of(ObjectReader& body) {
  return seconds(body.integer("lease_seconds", 1, service::WorkLimits::kLongestLease).value_or(30));
}

// ---- Claim

std::vector<std::string> read_types(ObjectReader& body, const char* name) {
  const auto types =
      body.texts(name, service::WorkLimits::kMostTypes, service::WorkLimits::kLongestName);
  if (types && (types->empty() || !std::all_of(types->begin(), types->end(), service::is_type))) {
    body.complain(name, "invalid", "it needs at least one type, and each is one word");
  }
  return types.value_or(std::vector<std::string>());
}

service::WorkerClaim read_ask(ObjectReader& body) {
  service::WorkerClaim ask;
  body.require("worker_id", "a name of the worker's own, shown in the history");
  ask.worker = body.text("worker_id", service::WorkLimits::kLongestName).value_or("");
  if (body.has("worker_id") && ask.worker.empty()) {
    body.complain("worker_id", "invalid", "it must not be empty");
  }
  if (!body.has("exec_types")) {
    body.require("job_types", "the types this worker can run, such as [\"default\"]");
  }
  ask.job_types = read_types(body, "job_types");
  ask.exec_types = read_types(body, "exec_types");
  ask.max_runs = static_cast<std::size_t>(
      body.integer("max_runs", 1, service::WorkLimits::kMostRuns).value_or(1));
  ask.lease = lease_of(body);
  ask.wait =
      seconds(body.integer("wait_seconds", 0, service::WorkLimits::kLongestWait).value_or(0));
  ask.region_name = body.text("region", service::WorkLimits::kLongestName);
  body.refuse_others();
  return ask;
}

net::Response claimed_response(const Services& services, const std::vector<store::ClaimedRun>& runs,
                               const service::AskedFor& asked) {
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}},
          .body = claimed_text(services, runs, asked)};
}

// Called by the thread that claims for everybody and must not wait, so another one writes the
// answer. If the client leaves meanwhile, its leases bring the runs back.
bool hand_over(const Context& context, const net::Responder& responder,
               const service::AskedFor& asked, std::vector<store::ClaimedRun> runs) {
  if (responder.is_gone()) return false;
  const auto shared = std::make_shared<const std::vector<store::ClaimedRun>>(std::move(runs));
  const Services& services = context.services;
  const auto write = [&services, responder, shared, asked] {
    responder.send(claimed_response(services, *shared, asked));
  };
  if (!shared->empty() && context.later(write)) return true;
  return responder.send(claimed_response(services, *shared, asked));
}

// Waits without a thread until the node has runs for it. A client that leaves withdraws its claim,
// and runs that find no client go to the next worker.
void claim(const Context& context, const Call& call, const net::Responder& responder) {
  const Services& services = context.services;
  const auto json = read_body(call.request);
  if (!json) return answer(responder, call, json.error());
  std::vector<Complaint> complaints = call.complaints;
  ObjectReader body(*json, "", complaints);
  service::WorkerClaim ask = read_ask(body);
  const auto found = service::find_region(services, ask, complaints);
  if (!found) return answer(responder, call, found.error());
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  const service::AskedFor since{.at = services.clock.boot_now(), .lease = ask.lease};
  const auto asked =
      services.dispatch.claim(service::claim_of(services, call.principal, ask),
                              [&context, responder, since](std::vector<store::ClaimedRun> runs) {
                                return hand_over(context, responder, since, std::move(runs));
                              });
  if (!asked) return answer(responder, call, asked.error());
  const auto give_up = [&services, id = *asked, responder, since](net::ParkEnd why) {
    const bool ours = services.dispatch.withdraw(id);  // if not, runs are on their way
    if (ours && why != net::ParkEnd::kGone) responder.send(claimed_response(services, {}, since));
  };
  // The node answers when the wait is over; parking is for clients that leave before.
  const Duration slack = seconds(5);
  if (!responder.park(ask.wait + slack, give_up)) return give_up(net::ParkEnd::kTimeUp);
  if (ask.wait <= service::kBetweenKeyChecks) return;
  context.keys.add({.caller = caller_of(call.request),
                    .access = Access::kWork,
                    .has_left = [responder] { return responder.is_gone(); },
                    .show_out =
                        [&services, id = *asked, responder, request = call.request_id] {
                          if (!services.dispatch.withdraw(id)) return;
                          responder.send(to_response(key_ended(), request));
                        }});
}

// ---- Grants

// A run's id and fence; kept even when wrong, so that positions match.
store::RunGrant read_grant(ObjectReader& entry) {
  store::RunGrant grant;
  entry.require("run_id");
  if (const auto id = entry.text("run_id", 64)) {
    const auto run = core::read_run_id(*id);
    if (run) grant.run = *run;
    if (!run) entry.complain("run_id", "invalid", "`" + *id + "` is not the id of a run");
  }
  entry.require("fence", "the fence that came with the run");
  grant.fence = Fence(static_cast<std::uint64_t>(
      entry.integer("fence", 0, std::numeric_limits<std::int64_t>::max()).value_or(0)));
  return grant;
}

store::RunNote read_note(ObjectReader& entry, std::vector<Complaint>& complaints) {
  store::RunNote note;
  note.log = entry.output("log", service::WorkLimits::kLargestResult).value_or("");
  if (const Json* progress = entry.object("progress")) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    ObjectReader reader(*progress, entry.pointer("progress"), complaints);
    reader.require("done");
    reader.require("total");
    note.progress = {.done = reader.integer("done", 0, kMost).value_or(0),
                     .total = reader.integer("total", 0, kMost).value_or(0)};
    reader.refuse_others();
  }
  return note;
}

template <typename Read>
void read_entries(ObjectReader& body, std::vector<Complaint>& complaints, const Read& read) {
  body.require("runs");
  const Json* runs = body.array("runs");
  if (runs == nullptr) return;
  if (runs->size() > static_cast<std::size_t>(service::WorkLimits::kMostRuns)) {
    body.complain("runs", "too_long", "there are more than 1,000 runs", "send several calls");
    return;
  }
  for (std::size_t i = 0; i < runs->size(); ++i) {
    ObjectReader entry((*runs)[i], body.pointer("runs") + "/" + std::to_string(i), complaints);
    read(entry);
    entry.refuse_others();
  }
}

// Written as it goes out: the thread that ends runs for everybody writes it, a thousand at once.
template <typename Answers>
net::Response results_response(const std::vector<store::RunGrant>& grants, const Answers& answers) {
  std::string body = "{\"results\":[";
  for (std::size_t i = 0; i < grants.size(); ++i) {
    body.append(i == 0 ? "{\"answer\":\"" : ",{\"answer\":\"");
    body.append(service::word_of(answers[i])).append("\",\"run_id\":\"");
    body.append(core::write_run_id(grants[i].run)).append("\"}");
  }
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body.append("]}"))};
}

void heartbeat(const Services& services, Call call, std::vector<Complaint> complaints,
               const net::Responder& responder) {
  const auto json = read_body(call.request);
  if (!json) return answer(responder, call, json.error());
  ObjectReader body(*json, "", complaints);
  const Duration lease = lease_of(body);
  std::vector<service::WorkerHeartbeat> beats;
  std::vector<store::RunGrant> grants;
  read_entries(body, complaints, [&](ObjectReader& entry) {
    grants.push_back(read_grant(entry));
    beats.push_back({grants.back(), read_note(entry, complaints)});
  });
  body.refuse_others();
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  service::heartbeat(services, call.principal, std::move(beats), lease,
                     [grants, responder,
                      id = call.request_id](const Result<std::vector<HeartbeatAnswer>>& answers) {
                       if (!answers) {
                         responder.send(Outcome(answers.error()).to_response(id));
                         return;
                       }
                       responder.send(results_response(grants, *answers));
                     });
}

// ---- Complete

enum class Reported : std::uint8_t { kSucceeded, kFailed, kReturned };
constexpr core::Words<Reported, 3> kReported{{{"SUCCEEDED", Reported::kSucceeded},
                                              {"FAILED", Reported::kFailed},
                                              {"RETURNED", Reported::kReturned}}};

service::WorkerCompletion read_end(ObjectReader& entry, std::vector<Complaint>& complaints) {
  engine::Completion completion{.grant = read_grant(entry)};
  entry.require("status", "SUCCEEDED, FAILED or RETURNED");
  const Reported reported = entry.word("status", kReported).value_or(Reported::kSucceeded);
  completion.outcome = reported == Reported::kFailed ? core::AttemptOutcome::kFailed
                                                     : core::AttemptOutcome::kSucceeded;
  if (const Json* result = entry.any("result"); result != nullptr && !result->is_null()) {
    completion.result = write_json(*result);
    if (completion.result.size() > service::WorkLimits::kLargestResult) {
      entry.complain("result", "too_long", "a result has at most 64 KiB",
                     "keep it elsewhere and report where");
    }
  }
  completion.error = entry.foreign_text("error", service::WorkLimits::kLargestResult).value_or("");
  completion.retryable = entry.boolean("retryable").value_or(true);
  completion.retry_after = seconds(
      entry.integer("retry_after_seconds", 0, service::WorkLimits::kLongestRetry).value_or(0));
  return {.completion = std::move(completion),
          .note = read_note(entry, complaints),
          .returned = reported == Reported::kReturned};
}

void complete(const Services& services, Call call, std::vector<Complaint> complaints,
              const net::Responder& responder) {
  const auto json = read_body_keeping("/runs/*/result", call.request);
  if (!json) return answer(responder, call, json.error());
  ObjectReader body(*json, "", complaints);
  std::vector<service::WorkerCompletion> ends;
  std::vector<store::RunGrant> grants;
  read_entries(body, complaints, [&](ObjectReader& entry) {
    ends.push_back(read_end(entry, complaints));
    grants.push_back(ends.back().completion.grant);
  });
  body.refuse_others();
  if (!complaints.empty()) return answer(responder, call, invalid(std::move(complaints)));
  service::complete(
      services, call.principal, std::move(ends),
      [grants, responder](const std::vector<Result<engine::CompletionAnswer>>& answers) {
        responder.send(results_response(grants, answers));
      });
}

}  // namespace

std::vector<Route> worker_routes() {
  return {
      {"POST", "/api/v1/runs:claim", Access::kWork, Handle::collecting(claim)},
      vital(with_batch({"POST", "/api/v1/runs:heartbeat", Access::kWork, deferred(heartbeat)})),
      vital(with_batch({"POST", "/api/v1/runs:complete", Access::kWork, deferred(complete)})),
  };
}

}  // namespace belfry::api
