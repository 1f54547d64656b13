#pragma once

#include <grpc/reflection/v1/reflection.grpc.pb.h>

#include <string>
#include <vector>

namespace belfry::rpc {

// Tells clients which services a server has and what their messages look like: version 1 of the
// protocol, beside the v1alpha that the library brings.
class ReflectionService final : public grpc::reflection::v1::ServerReflection::CallbackService {
 public:
  // `services`: the full names of all services of the server.
  explicit ReflectionService(std::vector<std::string> services) : services_(std::move(services)) {}

  grpc::ServerBidiReactor<grpc::reflection::v1::ServerReflectionRequest,
                          grpc::reflection::v1::ServerReflectionResponse>*
  ServerReflectionInfo(grpc::CallbackServerContext* context) override;

 private:
  const std::vector<std::string> services_;
};

}  // namespace belfry::rpc
