#pragma once

#include "base/clock.h"
#include "rpc/grpc_options.h"
#include "worker/transport.h"

#include <memory>

namespace belfry::rpc {

// A worker's way to a server by single calls: Claim, Heartbeat, Complete.
Result<std::unique_ptr<worker::Transport>> make_unary_transport(const GrpcOptions& options);

// By one stream: runs come as they are due, cancellations at once. It connects again by itself.
// `clock` must outlive it.
Result<std::unique_ptr<worker::Transport>> make_stream_transport(const GrpcOptions& options,
                                                                 const Clock& clock);

}  // namespace belfry::rpc
