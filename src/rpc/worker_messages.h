#pragma once

#include "base/error.h"
#include "belfry/v1/dispatcher.pb.h"
#include "rpc/grpc_options.h"
#include "worker/transport.h"

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <span>
#include <vector>

// What a worker says and hears over gRPC.
namespace belfry::rpc {

// kInvalid when the address or a file is wrong; nothing is connected yet.
Result<std::shared_ptr<grpc::Channel>> open_channel(const GrpcOptions& options);
void authorize(const GrpcOptions& options, grpc::ClientContext& context);

// kInvalid for a failure that a retry cannot help.
Error error_of(const grpc::Status& status);

v1::Hello write_hello(const worker::ClaimRequest& want);
v1::ClaimRequest write_claim(const worker::ClaimRequest& want);
v1::HeartbeatRequest write_beats(std::span<const worker::Heartbeat> beats, Duration lease);
v1::CompleteRequest write_ends(std::span<const worker::Completion> ends);

worker::Task read_task(const v1::Run& run, Duration lease);
// None from a server that does not tell.
std::optional<Duration> waited_of(const v1::Run& run);
std::vector<HeartbeatAnswer> read_answers(const v1::HeartbeatResponse& response);
std::vector<worker::CompletionAnswer> read_answers(const v1::CompleteResponse& response);

}  // namespace belfry::rpc
