#include "deliver/webhook/address_guard.h"

#include "base/assert.h"

#include <ifaddrs.h>

#include <algorithm>

namespace belfry::deliver {
namespace {

struct Special {
  std::string_view network;
  std::string_view name;
};

// The registries of special addresses (RFC 6890 and its kin), and a cloud's host agent.
constexpr Special kSpecial4[] = {
    {"0.0.0.0/8", "this network"},       {"10.0.0.0/8", "private"},
    {"100.64.0.0/10", "carrier's"},      {"127.0.0.0/8", "loopback"},
    {"169.254.0.0/16", "link-local"},    {"172.16.0.0/12", "private"},
    {"192.0.0.0/24", "reserved"},        {"192.0.2.0/24", "documentation"},
    {"192.88.99.0/24", "6to4 relay"},    {"192.168.0.0/16", "private"},
    {"198.18.0.0/15", "benchmarking"},   {"198.51.100.0/24", "documentation"},
    {"203.0.113.0/24", "documentation"}, {"224.0.0.0/4", "multicast"},
    {"240.0.0.0/4", "reserved"},         {"168.63.129.16/32", "a cloud's host agent"},
};
// Within 2000::/3; everything outside is special anyway: loopback, mapped, NAT64, unique local,
// link-local, multicast.
constexpr Special kSpecial6[] = {
    {"2001::/23", "Teredo and protocols"},
    {"2001:db8::/32", "documentation"},
    {"2002::/16", "6to4"},
    {"3fff::/20", "documentation"},
};

Network network_of(std::string_view text) {
  const auto network = Network::parse(text);
  BELFRY_ASSERT(network.has_value());
  return *network;
}

std::string_view special_name(const IpAddress& address) {
  static const Network kGlobal6 = network_of("2000::/3");
  if (address.is_v4()) {
    for (const Special& special : kSpecial4) {
      if (network_of(special.network).contains(address)) return special.name;
    }
    return "";
  }
  if (!kGlobal6.contains(address)) return "not global";
  for (const Special& special : kSpecial6) {
    if (network_of(special.network).contains(address)) return special.name;
  }
  return "";
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_loopback(const IpAddress& address) {
  static const auto four = Network::parse("127.0.0.0/8");
  static const auto six = Network::parse("::1");
  return four->contains(address) || six->contains(address);
}

Error refuse(std::string message, std::string hint) {
  return {.code = Errc::kInvalid, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace

Status AddressGuard::check(const net::Url& url) {
  const bool literal6 = url.host.find(':') != std::string::npos;
  if (literal6 && !IpAddress::parse(url.host)) {
    return fail(refuse("`" + url.host + "` is not an IPv6 address", "leave out zones and names"));
  }
  if (!literal6 && !std::all_of(url.host.begin(), url.host.end(), is_host_character)) {
    return fail(refuse("`" + url.host + "` is not the name of a host",
                       "write it in ASCII letters, digits, - and ."));
  }
  if (url.host.empty() || url.host.size() > 253) {
    return fail(refuse("the host's name is empty or longer than 253 characters", "shorten it"));
  }
  return {};
}

Status AddressGuard::check(const IpAddress& address, std::uint16_t port) const {
  const auto opens = [&](const Network& network) { return network.contains(address); };
  if (std::any_of(allowed_.begin(), allowed_.end(), opens)) return {};
  if (opens_loopback_ && is_loopback(address) && opens_loopback_()) return {};
  std::string_view name = special_name(address);
  if (std::find(own_.begin(), own_.end(), address) != own_.end()) name = "this machine's own";
  if (!name.empty()) {
    return fail(
        refuse("the address " + address.text() + " is not for webhooks (" + std::string(name) + ")",
               "the operator can open it with --allow-private-webhooks " + address.text()));
  }
  if (port < 1024 && port != 80 && port != 443) {
    return fail(refuse("the port " + std::to_string(port) + " is not for webhooks",
                       "use 80, 443 or one from 1024 on"));
  }
  return {};
}

Status AddressGuard::check(const std::vector<IpAddress>& addresses, std::uint16_t port) const {
  for (const IpAddress& address : addresses) BELFRY_CHECK(check(address, port));
  return {};
}

std::vector<IpAddress> own_addresses() {
  std::vector<IpAddress> own;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return own;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_addr == nullptr) continue;
    if (const auto address = IpAddress::of(*each->ifa_addr)) own.push_back(*address);
  }
  freeifaddrs(list);
  return own;
}

}  // namespace belfry::deliver
