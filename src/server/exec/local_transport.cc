#include "server/exec/local_transport.h"

#include "base/json.h"
#include "base/text/instant_text.h"
#include "core/id_text.h"
#include "service/work/work.h"

#include <utility>

namespace belfry::server {
namespace {

// The node's owner runs its worker, so it takes everybody's commands.
service::Principal owner() {
  return {.tenant = TenantId(1),
          .tenant_name = "default",
          .scope = store::Scope::kRoot,
          .actor = "local worker",
          .all_tenants = true};
}

core::RunGrant grant_of(const worker::Grant& grant) {
  return {core::read_run_id(grant.run_id).value_or(core::RunRef()), Fence(grant.fence)};
}

template <typename Message>
store::RunNote note_of(const Message& message) {
  store::RunNote note{.log = message.log.value_or("")};
  if (message.progress) note.progress = {message.progress->done, message.progress->total};
  return note;
}

engine::Completion completion_of(const worker::Completion& end) {
  return {
      .grant = grant_of(end.grant),
      .outcome = end.succeeded ? core::AttemptOutcome::kSucceeded : core::AttemptOutcome::kFailed,
      .result = end.result.is_null() ? "" : write_json(end.result),
      .error = end.error,
      .retryable = end.retryable,
      .retry_after = end.retry_after.value_or(Duration::zero())};
}

}  // namespace

worker::Task LocalTransport::take(const store::ClaimedRun& run, Duration lease) {
  watch(run);
  const std::string id = core::write_run_id(run.run);
  return {.run_id = id,
          .fence = run.fence.value(),
          .attempt = run.attempt.value(),
          .job_id = core::write_job_id(run.run.job),
          .job_name = run.job_name,
          .job_type = run.job_type,
          .tenant = services_.tenants.name_of(run.tenant),
          .scheduled_for = format_instant(run.scheduled_for),
          .deadline = format_instant(run.deadline),
          .stands_for = run.stands_for,
          .idempotency_key = id,
          .traceparent = service::traceparent_of(services_, run),
          .target = parse_json(run.target).value_or(Json()),
          .payload = parse_json(run.payload).value_or(Json()),
          .payload_text = run.payload,
          .timeout = run.deadline - (run.lease_until - lease),
          .age = service::age_of(services_, run, lease)};
}

Result<std::vector<worker::Task>> LocalTransport::claim(const worker::ClaimRequest& want) {
  using Runs = std::vector<store::ClaimedRun>;
  BELFRY_CHECK(leave_.check());
  const auto box = std::make_shared<Box<Runs>>();
  {
    const MutexLock lock(mutex_);
    if (stopped_) return fail(Errc::kUnavailable, "the worker stops");
    claiming_ = box;
  }
  const service::WorkerClaim ask{.worker = want.worker,
                                 .job_types = want.job_types,
                                 .exec_types = want.exec_types,
                                 .max_runs = want.max_runs,
                                 .lease = want.lease,
                                 .wait = want.wait};
  engine::Claim claim = service::claim_of(services_, owner(), ask);
  claim.holder = node_;
  BELFRY_TRY(asked, services_.dispatch.claim(std::move(claim), [box](Runs runs) {
    box->put(std::move(runs));
    return true;
  }));
  bool late = false;
  {
    const MutexLock lock(mutex_);
    claim_ = asked;
    late = stopped_;
  }
  if (late) stop_claiming();
  const Runs runs = box->wait();
  std::vector<worker::Task> tasks;
  for (const store::ClaimedRun& run : runs) tasks.push_back(take(run, want.lease));
  // The first key may have been made while this waited for runs.
  if (const Status may = leave_.check(); !tasks.empty() && !may) {
    give_back(tasks);
    return fail(may.error());
  }
  return tasks;
}

// What is not taken back now comes back when its lease is over.
void LocalTransport::give_back(const std::vector<worker::Task>& tasks) {
  std::vector<worker::Completion> ends;
  for (const worker::Task& task : tasks) {
    ends.push_back({.grant = task.grant(), .returned = true});
  }
  if (const auto returned = complete(ends); !returned) {
    services_.log.warn("runs_not_given_back", {{"reason", to_string(returned.error())}});
  }
}

void LocalTransport::stop_claiming() {
  std::optional<engine::ClaimId> ask;
  std::shared_ptr<Box<std::vector<store::ClaimedRun>>> box;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ask = std::exchange(claim_, std::nullopt);
    box = claiming_;
  }
  if (ask && services_.dispatch.withdraw(*ask)) box->put({});
}

Result<std::vector<HeartbeatAnswer>> LocalTransport::heartbeat(
    std::span<const worker::Heartbeat> beats, Duration lease) {
  using Answers = Result<std::vector<HeartbeatAnswer>>;
  std::vector<service::WorkerHeartbeat> said;
  for (const worker::Heartbeat& beat : beats) said.push_back({grant_of(beat.grant), note_of(beat)});
  const auto box = std::make_shared<Box<Answers>>();
  service::heartbeat(services_, owner(), std::move(said), lease,
                     [box](const Answers& answers) { box->put(answers); });
  BELFRY_TRY(answers, box->wait());
  std::vector<HeartbeatAnswer> told;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i] == HeartbeatAnswer::kFenced) let_go(beats[i].grant);
    told.push_back(answers[i]);
  }
  return told;
}

Result<std::vector<worker::CompletionAnswer>> LocalTransport::complete(
    std::span<const worker::Completion> ends) {
  using Answers = std::vector<Result<engine::CompletionAnswer>>;
  std::vector<service::WorkerCompletion> said;
  for (const worker::Completion& end : ends) {
    said.push_back({completion_of(end), note_of(end), end.returned});
  }
  const auto box = std::make_shared<Box<Answers>>();
  service::complete(services_, owner(), std::move(said),
                    [box](const Answers& answers) { box->put(answers); });
  const Answers answers = box->wait();
  std::vector<worker::CompletionAnswer> told;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i]) let_go(ends[i].grant);
    told.push_back(!answers[i] ? worker::CompletionAnswer::kAgain
                   : *answers[i] == engine::CompletionAnswer::kOk
                       ? worker::CompletionAnswer::kOk
                       : worker::CompletionAnswer::kFenced);
  }
  return told;
}

LocalTransport::~LocalTransport() {
  for (const core::RunGrant& grant : watched_) services_.cancels.remove(grant);
}

void LocalTransport::on_cancel(std::function<void(const worker::Grant&)> call) {
  const MutexLock lock(cancel_mutex_);
  on_cancel_ = std::move(call);
}

void LocalTransport::watch(const store::ClaimedRun& run) {
  {
    const MutexLock lock(mutex_);
    watched_.insert({run.run, run.fence});
  }
  services_.cancels.add({run.run, run.fence}, [this](const core::RunGrant& grant) {
    const MutexLock lock(cancel_mutex_);
    if (on_cancel_) on_cancel_({core::write_run_id(grant.run), grant.fence.value()});
  });
}

void LocalTransport::let_go(const worker::Grant& grant) {
  const core::RunGrant held = grant_of(grant);
  {
    const MutexLock lock(mutex_);
    watched_.erase(held);
  }
  services_.cancels.remove(held);
}

}  // namespace belfry::server
