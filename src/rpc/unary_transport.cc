#include "base/mutex.h"
#include "base/real_clock.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "rpc/grpc_transport.h"
#include "rpc/worker_messages.h"

#include <grpcpp/grpcpp.h>

namespace belfry::rpc {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(10);

void set_timeout(grpc::ClientContext& context, Duration timeout) {
  context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                    gpr_time_from_micros(timeout.count(), GPR_TIMESPAN)));
}

class UnaryTransport final : public worker::Transport {
 public:
  UnaryTransport(GrpcOptions options, const std::shared_ptr<grpc::Channel>& channel)
      : options_(std::move(options)), stub_(v1::Dispatcher::NewStub(channel)) {}

  Result<std::vector<worker::Task>> claim(const worker::ClaimRequest& want) override {
    grpc::ClientContext context;
    {
      const MutexLock lock(mutex_);
      if (stopped_) return fail(Errc::kUnavailable, "the worker stops");
      claim_ = &context;
    }
    authorize(options_, context);
    set_timeout(context, want.wait + kTimeout);
    v1::ClaimResponse response;
    const RealClock clock;
    const BootInstant sent = clock.boot_now();
    const grpc::Status status = stub_->Claim(&context, write_claim(want), &response);
    const Duration since_sent = clock.boot_now() - sent;
    {
      const MutexLock lock(mutex_);
      claim_ = nullptr;
    }
    if (!status.ok()) return fail(error_of(status));
    std::vector<worker::Task> tasks;
    for (const v1::Run& run : response.runs()) {
      tasks.push_back(read_task(run, want.lease));
      tasks.back().age = worker::oldest_age(since_sent, waited_of(run));
    }
    return tasks;
  }

  Result<std::vector<HeartbeatAnswer>> heartbeat(std::span<const worker::Heartbeat> beats,
                                                 Duration lease) override {
    grpc::ClientContext context;
    authorize(options_, context);
    set_timeout(context, worker::patience_for(lease));
    v1::HeartbeatResponse response;
    const grpc::Status status = stub_->Heartbeat(&context, write_beats(beats, lease), &response);
    if (!status.ok()) return fail(error_of(status));
    return read_answers(response);
  }

  Result<std::vector<worker::CompletionAnswer>> complete(
      std::span<const worker::Completion> ends) override {
    grpc::ClientContext context;
    authorize(options_, context);
    set_timeout(context, kTimeout);
    v1::CompleteResponse response;
    const grpc::Status status = stub_->Complete(&context, write_ends(ends), &response);
    if (!status.ok()) return fail(error_of(status));
    return read_answers(response);
  }

  void stop_claiming() override {
    const MutexLock lock(mutex_);
    stopped_ = true;
    if (claim_ != nullptr) claim_->TryCancel();
  }

 private:
  const GrpcOptions options_;
  const std::unique_ptr<v1::Dispatcher::Stub> stub_;
  Mutex mutex_;
  bool stopped_ BELFRY_GUARDED_BY(mutex_) = false;
  grpc::ClientContext* claim_ BELFRY_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace

Result<std::unique_ptr<worker::Transport>> make_unary_transport(const GrpcOptions& options) {
  BELFRY_TRY(channel, open_channel(options));
  return std::make_unique<UnaryTransport>(options, channel);
}

}  // namespace belfry::rpc
