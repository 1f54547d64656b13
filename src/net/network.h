#pragma once

#include <string>

namespace belfry::net {

// Whose share something takes that comes from an address: itself for IPv4; for IPv6 its first half,
// because whoever has one of those has 2^64 of them.
std::string network_of(const std::string& address);

}  // namespace belfry::net
