#include "rpc/unary_service.h"

#include "rpc/caller.h"
#include "rpc/codec.h"

#include <utility>
#include <vector>

namespace belfry::rpc {
namespace {

grpc::Status invalid(Complaints complaints) {
  return status_of(service::Refusal::invalid(std::move(complaints)));
}

// A claim that waits: answered by the dispatcher, or given up when its worker leaves.
class ClaimCall final : public UnaryCall {
 public:
  ClaimCall(Shared& shared, grpc::CallbackServerContext& context, Terms terms)
      : UnaryCall(shared, context, terms),
        dispatch_(shared.services.dispatch),
        places_(shared.places) {}
  ~ClaimCall() override {
    if (place_) places_->give_back(*place_);
  }

  void OnCancel() override {
    UnaryCall::OnCancel();
    std::optional<engine::ClaimId> ask;
    {
      const MutexLock lock(mutex_);
      gone_ = true;
      ask = ask_;
    }
    if (ask) give_up(*ask);
  }

 private:
  void work(const service::Principal& principal) override {
    v1::ClaimRequest request;
    if (!read(request)) return;
    Complaints complaints;
    service::WorkerClaim ask = read_ask(request, complaints);
    const auto found = service::find_region(shared().services, ask, complaints);
    if (!found) {
      refuse(status_of(service::refusal_of(found.error())));
      return;
    }
    if (!complaints.empty()) {
      refuse(invalid(std::move(complaints)));
      return;
    }
    if (!places_->take(principal.tenant)) {
      refuse(too_many_wait());
      return;
    }
    place_ = principal.tenant;
    const std::shared_ptr<ClaimCall> self = std::static_pointer_cast<ClaimCall>(shared_from_this());
    const service::AskedFor since{.at = shared().services.clock.boot_now(), .lease = ask.lease};
    const auto asked = dispatch_.claim(service::claim_of(shared().services, principal, ask),
                                       [self, since](const std::vector<store::ClaimedRun>& runs) {
                                         return self->grant(runs, since);
                                       });
    if (!asked) {
      refuse(status_of(service::refusal_of(asked.error())));
      return;
    }
    set_ask(*asked);
    if (ask.wait <= service::kBetweenKeyChecks) return;
    shared().keys.add({.caller = caller(),
                       .access = access(),
                       .has_left = [self] { return self->is_finished(); },
                       .show_out = [self] { self->show_out(); }});
  }

  bool grant(const std::vector<store::ClaimedRun>& runs, const service::AskedFor& since) {
    // Asked only while the call is not over: its context goes with it.
    if (is_finished()) return false;
    if (is_cancelled()) {
      refuse(grpc::Status::CANCELLED);
      return false;
    }
    return answer([&] {
      v1::ClaimResponse response;
      service::ShownTargets targets;
      for (const auto& run : runs) {
        write_run(shared().services, run, since, targets, *response.add_runs());
      }
      return response;
    });
  }

  // The key is no longer valid.
  void show_out() {
    std::optional<engine::ClaimId> ask;
    {
      const MutexLock lock(mutex_);
      ask = ask_;
    }
    if (ask && dispatch_.withdraw(*ask)) {
      refuse({grpc::StatusCode::UNAUTHENTICATED, "the key is no longer valid for this"});
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

  void give_up(engine::ClaimId ask) {
    if (dispatch_.withdraw(ask)) refuse(grpc::Status::CANCELLED);
  }

  engine::Dispatch& dispatch_;
  const std::shared_ptr<Places> places_;
  std::optional<TenantId> place_;  // set before anybody else knows the call
  Mutex mutex_;
  std::optional<engine::ClaimId> ask_ BELFRY_GUARDED_BY(mutex_);
  bool gone_ BELFRY_GUARDED_BY(mutex_) = false;
};

class HeartbeatCall final : public UnaryCall {
 public:
  using UnaryCall::UnaryCall;

 private:
  void work(const service::Principal& principal) override {
    if (!read(request_)) return;
    Complaints complaints;
    const Duration lease = read_lease(request_, complaints);
    std::vector<service::WorkerHeartbeat> beats = read_beats(request_, complaints);
    if (!complaints.empty()) {
      refuse(invalid(std::move(complaints)));
      return;
    }
    service::heartbeat(
        shared().services, principal, std::move(beats), lease,
        [this, self = shared_from_this()](const Result<std::vector<HeartbeatAnswer>>& answers) {
          if (!answers) {
            refuse(status_of(service::refusal_of(answers.error())));
            return;
          }
          answer([&] { return write_beats(request_, *answers); });
        });
  }

  v1::HeartbeatRequest request_;
};

class CompleteCall final : public UnaryCall {
 public:
  using UnaryCall::UnaryCall;

 private:
  void work(const service::Principal& principal) override {
    if (!read(request_)) return;
    Complaints complaints;
    std::vector<service::WorkerCompletion> ends = read_ends(request_, complaints);
    if (!complaints.empty()) {
      refuse(invalid(std::move(complaints)));
      return;
    }
    service::complete(shared().services, principal, std::move(ends),
                      [this, self = shared_from_this()](
                          const std::vector<Result<engine::CompletionAnswer>>& answers) {
                        answer([&] { return write_ends(request_, answers); });
                      });
  }

  v1::CompleteRequest request_;
};

class NoCall final : public grpc::ServerGenericBidiReactor {
 public:
  explicit NoCall(std::shared_ptr<net::Visit> visit) : visit_(std::move(visit)) {
    visit_->arrive();
    Finish({grpc::StatusCode::UNIMPLEMENTED, "there is no such call"});
  }
  void OnCancel() override { visit_->note_given_up(); }
  void OnDone() override {
    visit_->take_leave(false);
    delete this;
  }

 private:
  const std::shared_ptr<net::Visit> visit_;
};

template <typename Kind>
grpc::ServerGenericBidiReactor* begin(Shared& shared, grpc::CallbackServerContext& context,
                                      const UnaryCall::Terms& terms) {
  const auto call = std::make_shared<Kind>(shared, context, terms);
  call->begin();
  return call.get();
}

}  // namespace

UnaryService::UnaryService(Shared& shared)
    : shared_(shared),
      claim_{.access = access_of("belfry.v1.Dispatcher.Claim")},
      heartbeat_{.access = access_of("belfry.v1.Dispatcher.Heartbeat"), .is_vital = true},
      complete_{.access = access_of("belfry.v1.Dispatcher.Complete"), .is_vital = true} {}

grpc::ServerGenericBidiReactor* UnaryService::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  const std::string& method = context->method();
  if (method == "/belfry.v1.Dispatcher/Claim") return begin<ClaimCall>(shared_, *context, claim_);
  if (method == "/belfry.v1.Dispatcher/Heartbeat") {
    return begin<HeartbeatCall>(shared_, *context, heartbeat_);
  }
  if (method == "/belfry.v1.Dispatcher/Complete") {
    return begin<CompleteCall>(shared_, *context, complete_);
  }
  return new NoCall(shared_.door->visit_of(peer_of(*context)));
}

}  // namespace belfry::rpc
