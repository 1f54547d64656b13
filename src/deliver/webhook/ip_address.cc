#include "deliver/webhook/ip_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace belfry::deliver {
namespace {

constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

Error bad_network(std::string_view text) {
  return {.code = Errc::kInvalid,
          .message = "`" + std::string(text) + "` is not a network",
          .hint = "write it as 10.0.0.0/8 or fd00::/8"};
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  const std::string word(text);
  IpAddress address;
  if (inet_pton(AF_INET6, word.c_str(), address.bytes_.data()) == 1) return address;
  std::copy(kMapped.begin(), kMapped.end(), address.bytes_.begin());
  if (inet_pton(AF_INET, word.c_str(), address.bytes_.data() + kMapped.size()) == 1) return address;
  return std::nullopt;
}

std::optional<IpAddress> IpAddress::of(const sockaddr& name) {
  IpAddress address;
  if (name.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &name, sizeof v6);
    std::memcpy(address.bytes_.data(), &v6.sin6_addr, 16);
    return address;
  }
  if (name.sa_family != AF_INET) return std::nullopt;
  sockaddr_in v4{};
  std::memcpy(&v4, &name, sizeof v4);
  std::copy(kMapped.begin(), kMapped.end(), address.bytes_.begin());
  std::memcpy(address.bytes_.data() + kMapped.size(), &v4.sin_addr, 4);
  return address;
}

bool IpAddress::is_v4() const {
  return std::equal(kMapped.begin(), kMapped.end(), bytes_.begin());
}

std::string IpAddress::text() const {
  char text[INET6_ADDRSTRLEN] = {};
  if (is_v4()) return inet_ntop(AF_INET, bytes_.data() + kMapped.size(), text, sizeof text);
  return inet_ntop(AF_INET6, bytes_.data(), text, sizeof text);
}

Result<Network> Network::parse(std::string_view text) {
  const auto slash = std::min(text.find('/'), text.size());
  const auto base = IpAddress::parse(text.substr(0, slash));
  if (!base) return fail(bad_network(text));
  if (slash == text.size()) return Network{*base};
  const std::string_view digits = text.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  const bool read = problem == std::errc() && end == digits.data() + digits.size();
  const bool short_form = text.substr(0, slash).find(':') == std::string_view::npos;
  if (!read || bits > (short_form ? 32 : 128)) return fail(bad_network(text));
  return Network{*base, short_form ? bits + 96 : bits};
}

bool Network::contains(const IpAddress& address) const {
  const std::size_t whole = bits / 8;
  const auto& mine = base.bytes();
  const auto& its = address.bytes();
  if (!std::equal(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(whole), its.begin())) {
    return false;
  }
  if (bits % 8 == 0) return true;
  const unsigned mask = 0xffU << (8 - bits % 8) & 0xffU;
  return (mine.at(whole) & mask) == (its.at(whole) & mask);
}

Result<std::vector<Network>> parse_networks(std::string_view text) {
  std::vector<Network> networks;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    BELFRY_TRY(network, Network::parse(text.substr(0, comma)));
    networks.push_back(network);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return networks;
}

}  // namespace belfry::deliver
