#pragma once

#include "base/result.h"
#include "net/url.h"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

// Sockets of the listening side. Private to net.
namespace belfry::net {

struct ListeningSocket {
  int descriptor = -1;  // the caller closes it
  std::uint16_t port = 0;
};

Result<ListeningSocket> open_listener(const HostPort& address);

// On a Unix socket that only this user can connect to. One that a server left behind is replaced.
Result<ListeningSocket> open_unix_listener(const std::string& path);

struct AcceptedSocket {
  int descriptor = -1;  // does not block; the caller closes it
  std::string address;  // "unix" for a Unix socket
  std::string network;  // who shares what one caller may have: an IPv4 address, or 64 bits of IPv6
  std::optional<uid_t> user;  // of this machine, if the peer is on it
};

enum class AcceptTrouble {
  kNobody,     // wait until the listener is readable
  kGaveUp,     // this one left before it was accepted; try again
  kExhausted,  // no descriptors or memory; try again a little later
};

// An accepted connection, or why there is none.
std::optional<AcceptedSocket> accept_one(int listener, AcceptTrouble& trouble);

}  // namespace belfry::net
