#include "rpc/dispatcher_service.h"

#include "rpc/caller.h"
#include "rpc/codec.h"
#include "rpc/work_stream.h"

#include <utility>
#include <vector>

namespace belfry::rpc {
namespace {

grpc::Status busy() {
  return {grpc::StatusCode::UNAVAILABLE,
          "too many calls wait already; nothing was changed, try again"};
}

grpc::Status not_this_machine() {
  return {grpc::StatusCode::PERMISSION_DENIED,
          "without a key only this machine is served: call 127.0.0.1 or localhost"};
}

// A call that is finished once, by whichever thread comes first, and lives until gRPC is done with
// it and nobody holds it any more.
class Call : public grpc::ServerUnaryReactor, public std::enable_shared_from_this<Call> {
 public:
  void keep(std::shared_ptr<Call> self) { self_ = std::move(self); }
  service::Caller caller;  // set once, when it begins
  void OnDone() override { self_.reset(); }

  // False when it was finished already. `fill` is called only if not.
  template <typename Fill>
  bool finish(const grpc::Status& status, const Fill& fill) {
    {
      const MutexLock lock(mutex_);
      if (std::exchange(finished_, true)) return false;
    }
    fill();
    Finish(status);
    return true;
  }
  bool finish(const grpc::Status& status) {
    return finish(status, [] {});
  }
  bool is_finished() {
    const MutexLock lock(mutex_);
    return finished_;
  }

 private:
  std::shared_ptr<Call> self_;
  Mutex mutex_;
  bool finished_ BELFRY_GUARDED_BY(mutex_) = false;
};

// Whose turn a call takes: the tenant's if the key is remembered, otherwise the address's.
std::string payer_of(const Shared& shared, const service::Caller& caller) {
  const auto known = shared.services.keys.recall(caller);
  if (known && *known) return std::to_string((*known)->tenant.value());
  return host_of(caller);
}

enum class Urgency : std::uint8_t { kOrdinary, kVital };

// Begins the call on a thread that may wait; `work` gets it with its principal.
template <typename Kind, typename Work>
grpc::ServerUnaryReactor* begin(Shared& shared, grpc::CallbackServerContext* context,
                                Urgency urgency, std::shared_ptr<Kind> call, Work work) {
  call->keep(call);
  Kind* reactor = call.get();
  call->caller = caller_of(*context, shared.here);
  const bool taken = shared.pool.try_submit(
      [&shared, context, call, work = std::move(work)] {
        service::Principal principal;
        if (const auto refusal = admit(shared, *context, call->caller, principal)) {
          call->finish(*refusal);
          return;
        }
        work(call, principal);
      },
      {.payer = payer_of(shared, call->caller), .is_vital = urgency == Urgency::kVital});
  if (!taken) reactor->finish(busy());
  return reactor;
}

// A claim that waits: answered by the dispatcher, or given up when its worker leaves.
class ClaimCall final : public Call {
 public:
  explicit ClaimCall(const Shared& shared)
      : dispatch_(shared.services.dispatch), places_(shared.places) {}
  ~ClaimCall() override {
    if (place_) places_->give_back(*place_);
  }

  // One of the places for claims that wait; false when the tenant has its share of them.
  bool take_place(TenantId tenant) {
    if (!places_->take(tenant)) return false;
    place_ = tenant;
    return true;
  }

  // The key is no longer valid.
  void show_out() {
    std::optional<engine::ClaimId> ask;
    {
      const MutexLock lock(mutex_);
      ask = ask_;
    }
    if (ask && dispatch_.withdraw(*ask)) {
      finish({grpc::StatusCode::UNAUTHENTICATED, "the key is no longer valid for this"});
    }
  }

  void set_ask(engine::ClaimId ask) {
    bool gone = false;
    {
      const MutexLock lock(mutex_);
      ask_ = ask;
      gone = gone_;
    }
    if (gone) give_up(ask);
  }

  void OnCancel() override {
    std::optional<engine::ClaimId> ask;
    {
      const MutexLock lock(mutex_);
      gone_ = true;
      ask = ask_;
    }
    if (ask) give_up(*ask);
  }

 private:
  void give_up(engine::ClaimId ask) {
    if (dispatch_.withdraw(ask)) finish(grpc::Status::CANCELLED);
  }

  engine::Dispatch& dispatch_;
  const std::shared_ptr<Places> places_;
  std::optional<TenantId> place_;  // set before anybody else knows the call
  Mutex mutex_;
  std::optional<engine::ClaimId> ask_ BELFRY_GUARDED_BY(mutex_);
  bool gone_ BELFRY_GUARDED_BY(mutex_) = false;
};

}  // namespace

grpc::Status too_many_wait() {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the tenant has too many streams and claims that wait; try again later"};
}

std::optional<grpc::Status> admit(const Shared& shared, const grpc::CallbackServerContext& context,
                                  const service::Caller& caller, service::Principal& principal) {
  service::Admission& admission = shared.services.admission;
  if (const auto refusal = admission.admit(caller, service::Access::kWork, principal)) {
    return status_of(*refusal);
  }
  if (!principal.has_key && !is_for_this_machine(context)) return not_this_machine();
  if (const auto refusal = admission.choose_tenant(metadata(context, "belfry-tenant"), principal)) {
    return status_of(*refusal);
  }
  return {};
}

grpc::ServerUnaryReactor* DispatcherService::Claim(grpc::CallbackServerContext* context,
                                                   const v1::ClaimRequest* request,
                                                   v1::ClaimResponse* response) {
  const auto work = [this, context, request, response](const std::shared_ptr<ClaimCall>& call,
                                                       const service::Principal& principal) {
    Complaints complaints;
    const service::WorkerClaim ask = read_ask(*request, complaints);
    if (!complaints.empty()) {
      call->finish(status_of(service::Refusal::invalid(std::move(complaints))));
      return;
    }
    if (!call->take_place(principal.tenant)) {
      call->finish(too_many_wait());
      return;
    }
    // Made before the claim: after it the call may be over, and its context with it.
    service::KeyWatch::Guest guest{.caller = call->caller,
                                   .access = service::Access::kWork,
                                   .has_left = [call] { return call->is_finished(); },
                                   .show_out = [call] { call->show_out(); }};
    const service::AskedFor since{.at = shared_.services.clock.boot_now(), .lease = ask.lease};
    const auto asked = shared_.services.dispatch.claim(
        service::claim_of(shared_.services, principal, ask),
        [this, context, response, call, since](std::vector<store::ClaimedRun> runs) {
          if (context->IsCancelled()) {
            call->finish(grpc::Status::CANCELLED);
            return false;
          }
          return call->finish(grpc::Status::OK, [&] {
            for (const auto& run : runs) {
              write_run(shared_.services, run, since, *response->add_runs());
            }
          });
        });
    if (!asked) {
      call->finish(status_of(service::refusal_of(asked.error())));
      return;
    }
    call->set_ask(*asked);
    if (ask.wait > service::kBetweenKeyChecks) shared_.keys.add(std::move(guest));
  };
  return begin(shared_, context, Urgency::kOrdinary, std::make_shared<ClaimCall>(shared_), work);
}

grpc::ServerUnaryReactor* DispatcherService::Heartbeat(grpc::CallbackServerContext* context,
                                                       const v1::HeartbeatRequest* request,
                                                       v1::HeartbeatResponse* response) {
  const auto work = [this, request, response](const std::shared_ptr<Call>& call,
                                              const service::Principal& principal) {
    Complaints complaints;
    const Duration lease = read_lease(*request, complaints);
    std::vector<service::WorkerHeartbeat> beats = read_beats(*request, complaints);
    if (!complaints.empty()) {
      call->finish(status_of(service::Refusal::invalid(std::move(complaints))));
      return;
    }
    service::heartbeat(
        shared_.services, principal, std::move(beats), lease,
        [request, response, call](const Result<std::vector<HeartbeatAnswer>>& answers) {
          if (!answers) {
            call->finish(status_of(service::refusal_of(answers.error())));
            return;
          }
          call->finish(grpc::Status::OK, [&] { *response = write_beats(*request, *answers); });
        });
  };
  return begin(shared_, context, Urgency::kVital, std::make_shared<Call>(), work);
}

grpc::ServerUnaryReactor* DispatcherService::Complete(grpc::CallbackServerContext* context,
                                                      const v1::CompleteRequest* request,
                                                      v1::CompleteResponse* response) {
  const auto work = [this, request, response](const std::shared_ptr<Call>& call,
                                              const service::Principal& principal) {
    Complaints complaints;
    std::vector<service::WorkerCompletion> ends = read_ends(*request, complaints);
    if (!complaints.empty()) {
      call->finish(status_of(service::Refusal::invalid(std::move(complaints))));
      return;
    }
    service::complete(
        shared_.services, principal, std::move(ends),
        [request, response, call](const std::vector<Result<engine::CompletionAnswer>>& answers) {
          call->finish(grpc::Status::OK, [&] { *response = write_ends(*request, answers); });
        });
  };
  return begin(shared_, context, Urgency::kVital, std::make_shared<Call>(), work);
}

grpc::ServerBidiReactor<v1::WorkerMessage, v1::ServerMessage>* DispatcherService::Work(
    grpc::CallbackServerContext* context) {
  auto stream = std::make_shared<WorkStream>(shared_, context, [this](const WorkStream* gone) {
    const MutexLock lock(mutex_);
    streams_.erase(gone);
  });
  {
    const MutexLock lock(mutex_);
    streams_[stream.get()] = stream;
  }
  return stream->begin();
}

std::vector<std::shared_ptr<WorkStream>> DispatcherService::streams() {
  std::vector<std::shared_ptr<WorkStream>> streams;
  const MutexLock lock(mutex_);
  for (const auto& [key, stream] : streams_) {
    if (auto alive = stream.lock()) streams.push_back(std::move(alive));
  }
  return streams;
}

void DispatcherService::drain() {
  shared_.draining = true;
  for (const auto& stream : streams()) stream->drain();
}

void DispatcherService::check_keys() {
  for (const auto& stream : streams()) stream->check_key();
  shared_.keys.check();
}

}  // namespace belfry::rpc
