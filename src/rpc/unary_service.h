#pragma once

#include "rpc/shared.h"
#include "rpc/unary_call.h"

#include <grpcpp/generic/async_generic_service.h>

namespace belfry::rpc {

// Claim, Heartbeat and Complete; whatever else nobody serves is refused.
class UnaryService final : public grpc::CallbackGenericService {
 public:
  explicit UnaryService(Shared& shared);

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  Shared& shared_;
  const UnaryCall::Terms claim_;
  const UnaryCall::Terms heartbeat_;
  const UnaryCall::Terms complete_;
};

}  // namespace belfry::rpc
