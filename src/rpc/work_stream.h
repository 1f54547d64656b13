#pragma once

#include "base/mutex.h"
#include "belfry/v1/dispatcher.grpc.pb.h"
#include "rpc/caller.h"
#include "rpc/door.h"
#include "service/work/work.h"

#include <grpcpp/alarm.h>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace belfry::rpc {

// One worker on one stream. Messages are taken one at a time, in their order; answers are sent as
// they become known. Runs are sent against credits: a stream that has some left has one claim at
// the dispatcher. Runs that were sent and are not over are watched for cancellation.
class WorkStream final : public grpc::ServerBidiReactor<v1::WorkerMessage, v1::ServerMessage>,
                         public std::enable_shared_from_this<WorkStream> {
 public:
  using OnGone = std::function<void(const WorkStream*)>;
  WorkStream(Shared& shared, grpc::CallbackServerContext* context, OnGone on_gone)
      : shared_(shared),
        context_(context),
        on_gone_(std::move(on_gone)),
        access_(access_of("belfry.v1.Dispatcher.Work")),
        caller_(caller_of(*context, shared.here)),
        visit_(shared.door->visit_of(caller_.remote)) {
    visit_->arrive();
  }

  // Lives from here until gRPC and the dispatcher are done with it.
  WorkStream* begin();

  // No more runs; says so once, after those that were granted before.
  void drain();

  // Ends the stream if its key is no longer valid for it. May wait for the store.
  void check_key();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  using Self = std::shared_ptr<WorkStream>;

  void welcome();
  void submit();
  void take();
  void take_later(Duration wait);
  void take_unknown();
  void say_hello(const v1::Hello& hello);
  void add_credits(std::int32_t credits);
  void beat(v1::HeartbeatRequest request);
  void end(v1::CompleteRequest request);

  void ask();
  bool on_runs(const std::vector<store::ClaimedRun>& runs);
  void let_go(const std::string& run_id, std::uint64_t fence);

  void send(v1::ServerMessage message);
  void write_next();
  void refuse(std::vector<service::Complaint> complaints);
  void close(const grpc::Status& status);
  void read_next();
  std::optional<grpc::Status> take_end() BELFRY_REQUIRES(mutex_);

  Shared& shared_;
  grpc::CallbackServerContext* const context_;
  const OnGone on_gone_;
  const service::Access access_;
  const service::Caller caller_;
  const std::shared_ptr<net::Visit> visit_;
  Self self_;
  service::Principal principal_;  // set once, before the first message is read
  bool has_place_ = false;        // likewise
  grpc::Alarm alarm_;             // for a message that came too fast
  v1::WorkerMessage incoming_;

  Mutex mutex_;
  std::optional<service::WorkerClaim> hello_ BELFRY_GUARDED_BY(mutex_);
  std::uint64_t heard_ BELFRY_GUARDED_BY(mutex_) = 0;  // messages that were taken
  BootInstant heard_at_ BELFRY_GUARDED_BY(mutex_);     // the last of them
  std::size_t credits_ BELFRY_GUARDED_BY(mutex_) = 0;
  bool asking_ BELFRY_GUARDED_BY(mutex_) = false;
  bool draining_ BELFRY_GUARDED_BY(mutex_) = false;
  // gRPC allows no operation after Finish, so starting one has to hold Finish up: reading is
  // counted in `busy_`, writing shows in `outgoing_`. A read that was started may be done, and
  // taken up, before its starter has counted itself out.
  int busy_ BELFRY_GUARDED_BY(mutex_) = 1;
  bool closed_ BELFRY_GUARDED_BY(mutex_) = false;              // Finish was or will be called
  std::optional<grpc::Status> end_ BELFRY_GUARDED_BY(mutex_);  // with this
  std::optional<engine::ClaimId> ask_ BELFRY_GUARDED_BY(mutex_);
  std::deque<v1::ServerMessage> outgoing_ BELFRY_GUARDED_BY(mutex_);
  bool writing_ BELFRY_GUARDED_BY(mutex_) = false;  // the first of them
  std::set<store::RunGrant> held_ BELFRY_GUARDED_BY(mutex_);
};

}  // namespace belfry::rpc
