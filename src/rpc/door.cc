#include "rpc/door.h"

#include "belfry/v1/access.pb.h"
#include "rpc/caller.h"
#include "rpc/codec.h"

#include <google/protobuf/descriptor.h>

namespace belfry::rpc {
namespace {

using service::Access;

grpc::Status not_this_machine() {
  return {grpc::StatusCode::PERMISSION_DENIED,
          "without a key only this machine is served: call 127.0.0.1 or localhost"};
}

}  // namespace

Access access_of(const std::string& method) {
  const auto* const found =
      google::protobuf::DescriptorPool::generated_pool()->FindMethodByName(method);
  if (found == nullptr) return Access::kRoot;
  const std::string& word = found->options().GetExtension(v1::access);
  for (const Access each : {Access::kPublic, Access::kRead, Access::kOperate, Access::kWork,
                            Access::kAdminister, Access::kMetrics}) {
    if (word == service::name_of(each)) return each;
  }
  return Access::kRoot;
}

std::optional<grpc::Status> admit(const Shared& shared, const grpc::CallbackServerContext& context,
                                  const service::Caller& caller, Access access,
                                  service::Principal& principal) {
  service::Admission& admission = shared.services.admission;
  if (const auto refusal = admission.admit(caller, access, principal)) return status_of(*refusal);
  if (!principal.has_key && !is_for_this_machine(context)) return not_this_machine();
  if (const auto refusal = admission.choose_tenant(metadata(context, "belfry-tenant"), principal)) {
    return status_of(*refusal);
  }
  return {};
}

std::optional<grpc::Status> look_at(const Shared& shared, const service::Caller& caller,
                                    Access access) {
  service::Admission& admission = shared.services.admission;
  if (const auto refusal = admission.slow_down(caller)) return status_of(*refusal);
  const auto known = shared.services.keys.identify(caller);
  if (known && service::allows(known->scope, access)) return {};
  service::Principal stranger;
  const auto refusal = admission.admit(caller, access, stranger);
  return refusal ? std::optional(status_of(*refusal)) : std::nullopt;
}

bool is_known(const Shared& shared, const service::Caller& caller, Access access) {
  const auto known = shared.services.keys.recall(caller);
  return known && *known && service::allows((*known)->scope, access);
}

std::string payer_of(const Shared& shared, const service::Caller& caller) {
  const auto known = shared.services.keys.recall(caller);
  return known && *known ? std::to_string((*known)->tenant.value()) : caller.network;
}

grpc::Status busy() {
  return {grpc::StatusCode::UNAVAILABLE,
          "too many calls wait already; nothing was changed, try again"};
}

grpc::Status too_many_wait() {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the tenant has too many streams and claims that wait; try again later"};
}

}  // namespace belfry::rpc
