#include "rpc/caller.h"

#include "net/network.h"
#include "net/server/peer_user.h"

namespace belfry::rpc {
// gRPC says "ipv4:127.0.0.1:4711" or "ipv6:%5B::1%5D:4711"; this is as REST has it.
std::string peer_of(const grpc::CallbackServerContext& context) {
  const std::string peer = context.peer();
  const std::string text = peer.substr(peer.find(':') + 1);
  return net::decode_percent(text).value_or(text);
}

std::optional<std::string_view> metadata(const grpc::CallbackServerContext& context,
                                         const char* name) {
  const auto found = context.client_metadata().find(name);
  if (found == context.client_metadata().end()) return {};
  return std::string_view(found->second.data(), found->second.size());
}

service::Caller caller_of(const grpc::CallbackServerContext& context, const net::HostPort& here) {
  service::Caller caller;
  caller.remote = peer_of(context);
  if (const auto said = metadata(context, "authorization")) caller.authorization = *said;
  for (const char* name : {"x-forwarded-for", "forwarded", "via"}) {
    if (metadata(context, name)) caller.is_passed_on = true;
  }
  const auto peer = net::HostPort::parse(caller.remote);
  caller.network = peer ? net::network_of(peer->host) : caller.remote;
  if (peer && net::is_loopback(peer->host)) caller.user = net::peer_user(*peer, here);
  if (context.IsCancelled()) caller.user.reset();
  return caller;
}

bool is_for_this_machine(const grpc::CallbackServerContext& context) {
  const grpc::string_ref authority = context.ExperimentalGetAuthority();
  const auto asked = net::Url::parse("http://" + std::string(authority.data(), authority.size()));
  return asked && net::is_loopback(asked->host);
}

}  // namespace belfry::rpc
