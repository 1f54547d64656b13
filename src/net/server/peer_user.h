#pragma once

#include "net/url.h"

#include <sys/types.h>

#include <optional>

namespace belfry::net {

// The user of this machine whose program holds the other end of a connection, as the kernel knows
// it: for a Unix socket, and for TCP within the machine. None: another machine, or not certain.
//
// For TCP the kernel is asked who owns the socket with the peer's address and ours. No two live
// connections share these, so the answer is about our peer if our own socket is still connected
// *after* the kernel answered. Otherwise the peer may have left, and its port have a new owner.
std::optional<uid_t> peer_user(int connection);

// The same for a connection that somebody else holds (gRPC): the owner of the socket that is
// connected from `peer` to `here`, both numeric. The caller must make sure that the connection
// still stands afterwards.
std::optional<uid_t> peer_user(const HostPort& peer, const HostPort& here);

}  // namespace belfry::net
