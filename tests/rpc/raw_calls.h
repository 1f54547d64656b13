#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>

namespace belfry::test {

// Calls of services whose messages we have no code for, as bytes.
inline grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

inline std::string bytes_of(grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

struct RawAnswer {
  std::string message;  // the first that came back; empty: none did
  grpc::Status status;  // CANCELLED if a message came: then we have heard enough
};

// Sends one message on a stream, or to a unary call, which looks the same on the wire.
inline RawAnswer raw_call(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                          const std::string& request, const std::string& key = "",
                          const std::string& tenant = "") {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  if (!key.empty()) context.AddMetadata("authorization", "Bearer " + key);
  if (!tenant.empty()) context.AddMetadata("belfry-tenant", tenant);
  context.set_deadline(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_seconds(30, GPR_TIMESPAN)));
  grpc::CompletionQueue queue;
  void* tag = nullptr;
  const auto done = [&] {
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  const auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(nullptr);
  grpc::ByteBuffer answer;
  bool fine = done();
  if (fine) {
    call->WriteLast(buffer_of(request), {}, nullptr);
    fine = done();
  }
  if (fine) {
    call->Read(&answer, nullptr);
    fine = done();
  }
  RawAnswer said;
  if (fine) context.TryCancel();
  call->Finish(&said.status, nullptr);
  done();
  queue.Shutdown();
  while (queue.Next(&tag, &fine)) {
  }
  if (answer.Valid()) said.message = bytes_of(answer);
  return said;
}

inline std::string first_answer(const std::shared_ptr<grpc::Channel>& channel,
                                const std::string& method, const std::string& request,
                                const std::string& key = "") {
  return raw_call(channel, method, request, key).message;
}

}  // namespace belfry::test
