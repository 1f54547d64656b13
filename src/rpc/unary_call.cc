#include "rpc/unary_call.h"

#include "rpc/caller.h"

namespace belfry::rpc {

UnaryCall::UnaryCall(Shared& shared, grpc::CallbackServerContext& context, Terms terms)
    : shared_(shared),
      context_(context),
      terms_(terms),
      caller_(caller_of(context, shared.here)),
      visit_(shared.door->visit_of(caller_.remote)) {
  visit_->arrive();
}

void UnaryCall::begin() {
  self_ = shared_from_this();
  if (is_known(shared_, caller_, terms_.access)) return let_in();
  submit(&UnaryCall::look);
}

void UnaryCall::let_in() {
  was_let_in_ = true;
  visit_->let_in();
  StartRead(&incoming_);
}

void UnaryCall::OnDone() {
  visit_->take_leave(was_let_in_);
  self_.reset();
}

void UnaryCall::submit(void (UnaryCall::*what)()) {
  const bool taken =
      shared_.pool.try_submit([self = shared_from_this(), what] { (self.get()->*what)(); },
                              {.payer = payer_of(shared_, caller_), .is_vital = terms_.is_vital});
  if (!taken) refuse(busy());
}

void UnaryCall::look() {
  const auto refusal = look_at(shared_, caller_, terms_.access);
  if (refusal) {
    refuse(*refusal);
  } else {
    let_in();
  }
}

void UnaryCall::OnReadDone(bool ok) {
  if (ok) {
    visit_->take_message(incoming_.Length());
    return submit(&UnaryCall::take);
  }
  refuse({grpc::StatusCode::INVALID_ARGUMENT, "the message is missing"});
}

void UnaryCall::take() {
  service::Principal principal;
  if (const auto refusal = admit(shared_, context_, caller_, terms_.access, principal)) {
    refuse(*refusal);
  } else {
    work(principal);
  }
}

bool UnaryCall::end() {
  const MutexLock lock(mutex_);
  return !std::exchange(finished_, true);
}

bool UnaryCall::is_finished() {
  const MutexLock lock(mutex_);
  return finished_;
}

bool UnaryCall::refuse(const grpc::Status& status) {
  if (!end()) return false;
  Finish(status);
  return true;
}

void UnaryCall::send(const google::protobuf::MessageLite& message) {
  bool owns = false;
  const grpc::Status written =
      grpc::GenericSerialize<grpc::ProtoBufferWriter, google::protobuf::MessageLite>(
          message, &outgoing_, &owns);
  if (!written.ok()) return Finish(written);
  StartWriteAndFinish(&outgoing_, {}, grpc::Status::OK);
}

}  // namespace belfry::rpc
