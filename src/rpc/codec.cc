#include "rpc/codec.h"

#include "base/json.h"
#include "base/text/utf8.h"
#include "base/verbatim.h"
#include "core/id_text.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace belfry::rpc {
namespace {

using service::WorkLimits;
using std::chrono::seconds;

std::string at(const char* field, int index, const char* name) {
  return std::string("/") + field + "/" + std::to_string(index) + "/" + name;
}

Duration duration_of(const google::protobuf::Duration& duration) {
  return seconds(duration.seconds()) + Duration(duration.nanos() / 1'000);
}

Duration read_duration(const google::protobuf::Duration& given, const std::string& pointer,
                       std::int64_t least, std::int64_t most, Complaints& complaints) {
  // Checked as seconds first: what is out of range must not overflow.
  if (given.seconds() >= 0 && given.seconds() <= most) {
    const Duration duration = duration_of(given);
    if (duration >= seconds(least) && duration <= seconds(most)) return duration;
  }
  complaints.push_back(
      {pointer, "out_of_range",
       "it must be between " + std::to_string(least) + " and " + std::to_string(most) + " seconds",
       ""});
  return seconds(least);
}

void check_text(const std::string& text, std::size_t longest, const std::string& pointer,
                Complaints& complaints) {
  if (text.size() <= longest) return;
  complaints.push_back(
      {pointer, "too_long", "the text has more than " + std::to_string(longest) + " bytes", ""});
}

std::vector<std::string> read_types(const google::protobuf::RepeatedPtrField<std::string>& types,
                                    const char* pointer, Complaints& complaints) {
  std::vector<std::string> result(types.begin(), types.end());
  const auto fits = [](const std::string& type) {
    return service::is_type(type) && type.size() <= WorkLimits::kLongestName;
  };
  if (result.size() > WorkLimits::kMostTypes || !std::all_of(result.begin(), result.end(), fits)) {
    complaints.push_back({pointer, "invalid", "at most 100 types, and each is one word", ""});
  }
  return result;
}

template <typename Message>
service::WorkerClaim read_worker(const Message& message, Complaints& complaints) {
  service::WorkerClaim ask{
      .worker = message.worker_id(),
      .job_types = read_types(message.job_types(), "/job_types", complaints),
      .exec_types = read_types(message.exec_types(), "/exec_types", complaints)};
  if (!message.region().empty()) ask.region_name = message.region();
  check_text(ask.worker, WorkLimits::kLongestName, "/worker_id", complaints);
  check_text(message.region(), WorkLimits::kLongestName, "/region", complaints);
  if (!service::is_name(ask.worker)) {
    complaints.push_back(
        {"/worker_id", "invalid", "a name of the worker's own, without control characters", ""});
  }
  if (ask.job_types.empty() && ask.exec_types.empty()) {
    complaints.push_back({"/job_types", "required", "a worker needs at least one type", ""});
  }
  if (message.has_lease()) {
    ask.lease = read_duration(message.lease(), "/lease", 1, WorkLimits::kLongestLease, complaints);
  }
  return ask;
}

template <typename Message>
store::RunGrant read_grant(const Message& message, int index, Complaints& complaints) {
  store::RunGrant grant{.fence = Fence(message.fence())};
  const auto run = core::read_run_id(message.run_id());
  if (run) {
    grant.run = *run;
  } else {
    complaints.push_back(
        {at("runs", index, "run_id"), "invalid", "this is not the id of a run", ""});
  }
  return grant;
}

template <typename Message>
store::RunNote read_note(const Message& message, int index, Complaints& complaints) {
  store::RunNote note{.log = message.log()};
  check_text(note.log, WorkLimits::kLargestResult, at("runs", index, "log"), complaints);
  std::replace(note.log.begin(), note.log.end(), '\0', '?');
  if (!message.has_progress()) return note;
  note.progress = {.done = message.progress().done(), .total = message.progress().total()};
  if (note.progress->done < 0 || note.progress->total < 0) {
    complaints.push_back({at("runs", index, "progress"), "out_of_range", "it is less than 0", ""});
  }
  return note;
}

// How many runs to read: none if there are too many.
template <typename Request>
int count_of(const Request& request, Complaints& complaints) {
  if (request.runs_size() <= WorkLimits::kMostRuns) return request.runs_size();
  complaints.push_back({"/runs", "too_long", "there are more than 1,000 runs", "send several"});
  return 0;
}

engine::Completion read_completion(const v1::Completion& message, int index,
                                   Complaints& complaints) {
  engine::Completion completion{.grant = read_grant(message, index, complaints),
                                .error = message.error(),
                                .retryable = !message.not_retryable()};
  if (message.status() != v1::STATUS_SUCCEEDED && message.status() != v1::STATUS_FAILED &&
      message.status() != v1::STATUS_RETURNED) {
    complaints.push_back(
        {at("runs", index, "status"), "required", "SUCCEEDED, FAILED or RETURNED", ""});
  }
  completion.outcome = message.status() == v1::STATUS_SUCCEEDED ? core::AttemptOutcome::kSucceeded
                                                                : core::AttemptOutcome::kFailed;
  check_text(message.error(), WorkLimits::kLargestResult, at("runs", index, "error"), complaints);
  check_text(message.result(), WorkLimits::kLargestResult, at("runs", index, "result"), complaints);
  std::replace_if(
      completion.error.begin(), completion.error.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  if (!message.result().empty()) {
    const auto json = parse_json(message.result());
    if (json) completion.result = std::string(without_blanks(message.result()));
    if (!json) {
      complaints.push_back({at("runs", index, "result"), "invalid", json.error().message, ""});
    }
  }
  if (message.has_retry_after()) {
    completion.retry_after = read_duration(message.retry_after(), at("runs", index, "retry_after"),
                                           0, WorkLimits::kLongestRetry, complaints);
  }
  return completion;
}

void write_instant(Instant instant, google::protobuf::Timestamp& to) {
  const std::int64_t whole = floor_unix_seconds(instant);
  to.set_seconds(whole);
  to.set_nanos(static_cast<std::int32_t>((instant.micros() - whole * 1'000'000) * 1'000));
}

}  // namespace

service::WorkerClaim read_ask(const v1::ClaimRequest& request, Complaints& complaints) {
  service::WorkerClaim ask = read_worker(request, complaints);
  if (request.max_runs() < 0 || request.max_runs() > WorkLimits::kMostRuns) {
    complaints.push_back({"/max_runs", "out_of_range", "it must be between 1 and 1000", ""});
  }
  ask.max_runs = static_cast<std::size_t>(std::max(request.max_runs(), 1));
  if (request.has_wait()) {
    ask.wait = read_duration(request.wait(), "/wait", 0, WorkLimits::kLongestWait, complaints);
  }
  return ask;
}

service::WorkerClaim read_hello(const v1::Hello& hello, Complaints& complaints) {
  return read_worker(hello, complaints);
}

Duration read_lease(const v1::HeartbeatRequest& request, Complaints& complaints) {
  if (!request.has_lease()) return seconds(30);
  return read_duration(request.lease(), "/lease", 1, WorkLimits::kLongestLease, complaints);
}

std::vector<service::WorkerHeartbeat> read_beats(const v1::HeartbeatRequest& request,
                                                 Complaints& complaints) {
  std::vector<service::WorkerHeartbeat> beats;
  const int count = count_of(request, complaints);
  for (int i = 0; i < count; ++i) {
    const v1::Beat& beat = request.runs(i);
    beats.push_back({read_grant(beat, i, complaints), read_note(beat, i, complaints)});
  }
  return beats;
}

std::vector<service::WorkerCompletion> read_ends(const v1::CompleteRequest& request,
                                                 Complaints& complaints) {
  std::vector<service::WorkerCompletion> ends;
  const int count = count_of(request, complaints);
  for (int i = 0; i < count; ++i) {
    const v1::Completion& end = request.runs(i);
    ends.push_back({.completion = read_completion(end, i, complaints),
                    .note = read_note(end, i, complaints),
                    .returned = end.status() == v1::STATUS_RETURNED});
  }
  return ends;
}

void write_run(const service::Services& services, const store::ClaimedRun& run,
               const service::AskedFor& asked, service::ShownTargets& targets, v1::Run& to) {
  const std::string id = core::write_run_id(run.run);
  to.set_run_id(id);
  to.set_attempt_id(service::attempt_id_of(run));
  to.set_attempt(run.attempt.value());
  to.set_fence(run.fence.value());
  to.set_job_id(core::write_job_id(run.run.job));
  to.set_job_name(run.job_name);
  to.set_job_type(run.job_type);
  to.set_tenant_id(services.tenants.name_of(run.tenant));
  write_instant(run.scheduled_for, *to.mutable_scheduled_for());
  write_instant(run.lease_until, *to.mutable_lease_until());
  write_instant(run.deadline, *to.mutable_deadline());
  to.set_stands_for(run.stands_for);
  to.set_idempotency_key(id);
  to.set_traceparent(service::traceparent_of(services, run));
  to.set_target(targets.of(run));
  to.set_payload(run.payload);
  const Duration waited = service::waited_for(services, run, asked);
  to.mutable_waited()->set_seconds(waited.count() / 1'000'000);
  to.mutable_waited()->set_nanos(static_cast<std::int32_t>(waited.count() % 1'000'000 * 1'000));
}

v1::HeartbeatResponse write_beats(const v1::HeartbeatRequest& request,
                                  const std::vector<HeartbeatAnswer>& answers) {
  v1::HeartbeatResponse response;
  for (int i = 0; i < request.runs_size(); ++i) {
    v1::BeatResult& result = *response.add_results();
    result.set_run_id(request.runs(i).run_id());
    result.set_fence(request.runs(i).fence());
    switch (answers[static_cast<std::size_t>(i)]) {
      case HeartbeatAnswer::kExtended: result.set_answer(v1::BEAT_ANSWER_EXTENDED); break;
      case HeartbeatAnswer::kCancel: result.set_answer(v1::BEAT_ANSWER_CANCEL); break;
      case HeartbeatAnswer::kFenced: result.set_answer(v1::BEAT_ANSWER_FENCED); break;
    }
  }
  return response;
}

v1::CompleteResponse write_ends(const v1::CompleteRequest& request,
                                const std::vector<Result<engine::CompletionAnswer>>& answers) {
  v1::CompleteResponse response;
  for (int i = 0; i < request.runs_size(); ++i) {
    v1::CompletionResult& result = *response.add_results();
    result.set_run_id(request.runs(i).run_id());
    result.set_fence(request.runs(i).fence());
    const auto& answer = answers[static_cast<std::size_t>(i)];
    result.set_answer(!answer                                    ? v1::COMPLETION_ANSWER_RETRY
                      : *answer == engine::CompletionAnswer::kOk ? v1::COMPLETION_ANSWER_OK
                                                                 : v1::COMPLETION_ANSWER_FENCED);
  }
  return response;
}

grpc::Status status_of(const service::Refusal& refusal) {
  // A status travels in headers, of which clients take a few KiB.
  constexpr std::size_t kMostComplaints = 10;
  std::string message = refusal.detail.empty() ? refusal.title : refusal.detail;
  for (std::size_t i = 0; i < std::min(refusal.errors.size(), kMostComplaints); ++i) {
    message += "; " + refusal.errors[i].pointer + ": " + refusal.errors[i].message;
  }
  grpc::StatusCode code = grpc::StatusCode::INTERNAL;
  switch (refusal.kind) {
    using Kind = service::Refusal::Kind;
    case Kind::kInvalid: code = grpc::StatusCode::INVALID_ARGUMENT; break;
    case Kind::kUnauthorized: code = grpc::StatusCode::UNAUTHENTICATED; break;
    case Kind::kForbidden: code = grpc::StatusCode::PERMISSION_DENIED; break;
    case Kind::kNotFound: code = grpc::StatusCode::NOT_FOUND; break;
    case Kind::kConflict: code = grpc::StatusCode::FAILED_PRECONDITION; break;
    case Kind::kTooFast: code = grpc::StatusCode::RESOURCE_EXHAUSTED; break;
    case Kind::kUnavailable: code = grpc::StatusCode::UNAVAILABLE; break;
    case Kind::kUnknownOutcome:
    case Kind::kInternal: break;
  }
  return {code, message};
}

}  // namespace belfry::rpc
