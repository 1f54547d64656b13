#pragma once

#include "base/mutex.h"
#include "rpc/door.h"

#include <google/protobuf/message_lite.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <memory>
#include <utility>

namespace belfry::rpc {

// A call of one message and one answer. For such a call gRPC takes the whole message before it asks
// us anything; for a stream it asks first. So this is a stream of one, which looks the same to the
// caller, and a message is taken only from who may make the call.
//
// It is finished once, by whichever thread comes first, and lives until gRPC is done with it and
// nobody holds it any more.
class UnaryCall : public grpc::ServerGenericBidiReactor,
                  public std::enable_shared_from_this<UnaryCall> {
 public:
  struct Terms {
    service::Access access = service::Access::kRoot;
    bool is_vital = false;
  };
  UnaryCall(Shared& shared, grpc::CallbackServerContext& context, Terms terms);

  void begin();

  // False when it was finished already.
  bool refuse(const grpc::Status& status);
  // The same; `write` makes the answer, and is called only if it is wanted.
  template <typename Write>
  bool answer(const Write& write) {
    if (!end()) return false;
    send(write());
    return true;
  }
  bool is_finished();
  bool is_cancelled() const { return context_.IsCancelled(); }

  void OnReadDone(bool ok) override;
  void OnCancel() override { visit_->note_given_up(); }
  void OnDone() override;

 protected:
  // The message has come, and the caller may make the call. On a thread that may wait.
  virtual void work(const service::Principal& principal) = 0;

  // Refuses the call if the message is none.
  template <typename Message>
  bool read(Message& message) {
    const grpc::Status read = grpc::SerializationTraits<Message>::Deserialize(&incoming_, &message);
    if (!read.ok()) {
      refuse({grpc::StatusCode::INVALID_ARGUMENT, "this is not a message of that call"});
    }
    return read.ok();
  }

  Shared& shared() const { return shared_; }
  const service::Caller& caller() const { return caller_; }
  service::Access access() const { return terms_.access; }

 private:
  void submit(void (UnaryCall::*what)());
  void look();
  void let_in();
  void take();
  bool end();
  void send(const google::protobuf::MessageLite& message);

  Shared& shared_;
  grpc::CallbackServerContext& context_;
  const Terms terms_;
  const service::Caller caller_;
  const std::shared_ptr<net::Visit> visit_;
  bool was_let_in_ = false;
  std::shared_ptr<UnaryCall> self_;
  grpc::ByteBuffer incoming_;
  grpc::ByteBuffer outgoing_;
  Mutex mutex_;
  bool finished_ BELFRY_GUARDED_BY(mutex_) = false;
};

}  // namespace belfry::rpc
