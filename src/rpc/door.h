#pragma once

#include "rpc/shared.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <string>

namespace belfry::rpc {

// Who may call a method, "belfry.v1.Dispatcher.Claim", as its `access` in the proto says. What says
// nothing is for root only.
service::Access access_of(const std::string& method);

// Whether the caller may make this call, and as whom. May wait for the store.
std::optional<grpc::Status> admit(const Shared& shared, const grpc::CallbackServerContext& context,
                                  const service::Caller& caller, service::Access access,
                                  service::Principal& principal);

// Whether more of the call may be taken than its headers. Unlike admit() it counts nothing against
// the caller's rate, unless it refuses. May wait for the store.
std::optional<grpc::Status> look_at(const Shared& shared, const service::Caller& caller,
                                    service::Access access);
// The same if it is known without waiting that it may.
bool is_known(const Shared& shared, const service::Caller& caller, service::Access access);

// Whose turn a call takes: the tenant's if the key is remembered, otherwise the network's.
std::string payer_of(const Shared& shared, const service::Caller& caller);

grpc::Status busy();
grpc::Status too_many_wait();  // the tenant has its share of the places

}  // namespace belfry::rpc
