#include "net/network.h"

#include <arpa/inet.h>

namespace belfry::net {

std::string network_of(const std::string& address) {
  in6_addr parsed{};
  const std::string bare = address.substr(0, address.find('%'));  // without the name of a link
  if (inet_pton(AF_INET6, bare.c_str(), &parsed) != 1 || IN6_IS_ADDR_V4MAPPED(&parsed)) {
    return address;
  }
  return {reinterpret_cast<const char*>(&parsed), 8};
}

}  // namespace belfry::net
