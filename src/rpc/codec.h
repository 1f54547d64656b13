#pragma once

#include "belfry/v1/dispatcher.pb.h"
#include "engine/dispatch/dispatch.h"
#include "service/refusal.h"
#include "service/services.h"
#include "service/work/work.h"

#include <google/protobuf/repeated_ptr_field.h>
#include <grpcpp/support/status.h>

#include <vector>

// Reads messages into the types of service/work/work.h, and writes them from those.
namespace belfry::rpc {

// What is wrong with a message is collected, as for REST.
using Complaints = std::vector<service::Complaint>;

service::WorkerClaim read_ask(const v1::ClaimRequest& request, Complaints& complaints);
// The worker of a stream; how much it wants and how long it waits comes later.
service::WorkerClaim read_hello(const v1::Hello& hello, Complaints& complaints);
Duration read_lease(const v1::HeartbeatRequest& request, Complaints& complaints);
std::vector<service::WorkerHeartbeat> read_beats(const v1::HeartbeatRequest& request,
                                                 Complaints& complaints);
std::vector<service::WorkerCompletion> read_ends(const v1::CompleteRequest& request,
                                                 Complaints& complaints);

void write_run(const service::Services& services, const store::ClaimedRun& run,
               const service::AskedFor& asked, service::ShownTargets& targets, v1::Run& to);
// Answers take run and fence from the request.
v1::HeartbeatResponse write_beats(const v1::HeartbeatRequest& request,
                                  const std::vector<HeartbeatAnswer>& answers);
v1::CompleteResponse write_ends(const v1::CompleteRequest& request,
                                const std::vector<Result<engine::CompletionAnswer>>& answers);

grpc::Status status_of(const service::Refusal& refusal);

}  // namespace belfry::rpc
