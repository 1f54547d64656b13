#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace belfry::service {

// Where a call comes from, and what it shows for itself.
struct Caller {
  std::optional<std::string> authorization;  // the header's value
  std::string remote;                        // "127.0.0.1:40000"
  std::string network;  // who may have many addresses: one of IPv4, the first half of one of IPv6
  std::optional<uid_t> user;  // whose program it is, where the kernel of this machine knows it
  bool is_passed_on = false;  // by a proxy, so that `user` is the proxy's
};

// "127.0.0.1"
inline std::string host_of(const Caller& caller) {
  return caller.remote.substr(0, caller.remote.rfind(':'));
}

// Whose node it is, while it has no keys: who started it, and who can read its folder.
struct NodeOwner {
  uid_t user = 0;
  std::string token;  // kept in a file that only the owner can read; empty: there is none
};

}  // namespace belfry::service
