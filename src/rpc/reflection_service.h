#pragma once

#include "rpc/dispatcher_service.h"

#include <grpc/reflection/v1/reflection.grpc.pb.h>

#include <string>
#include <vector>

namespace belfry::rpc {

// Tells clients which services a server has and what their messages look like, to whoever has a
// key. The library brings the older v1alpha, which asks nobody for one; so it is not there.
class ReflectionService final : public grpc::reflection::v1::ServerReflection::CallbackService {
 public:
  // `services`: the full names of all services of the server.
  ReflectionService(Shared& shared, std::vector<std::string> services)
      : shared_(shared), services_(std::move(services)) {}

  grpc::ServerBidiReactor<grpc::reflection::v1::ServerReflectionRequest,
                          grpc::reflection::v1::ServerReflectionResponse>*
  ServerReflectionInfo(grpc::CallbackServerContext* context) override;

 private:
  Shared& shared_;
  const std::vector<std::string> services_;
};

}  // namespace belfry::rpc
