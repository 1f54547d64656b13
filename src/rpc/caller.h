#pragma once

#include "net/url.h"
#include "service/access/caller.h"

#include <grpcpp/grpcpp.h>

#include <string>
#include <string_view>

namespace belfry::rpc {

// The value of one of a call's headers.
std::optional<std::string_view> metadata(const grpc::CallbackServerContext& context,
                                         const char* name);

// Where the call comes from, as the server's door knows it: "127.0.0.1:4711".
std::string peer_of(const grpc::CallbackServerContext& context);

// Who calls the server that listens at `here`.
//
// Whose program it is can only be asked by the addresses of the connection, which gRPC holds. They
// are those of the call as long as its connection stands, and a call whose connection broke is
// cancelled; so a call that is cancelled by then has no user.
service::Caller caller_of(const grpc::CallbackServerContext& context, const net::HostPort& here);

// Whether the caller asked for this machine by one of its own names (service/access: a web page
// can make a name of its own point here).
bool is_for_this_machine(const grpc::CallbackServerContext& context);

}  // namespace belfry::rpc
