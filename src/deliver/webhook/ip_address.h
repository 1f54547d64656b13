#pragma once

#include "base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace belfry::deliver {

// An IPv4 or IPv6 address. An IPv4 address written as IPv6 (::ffff:127.0.0.1) is the IPv4 address
// it stands for, so that no rule has to know both forms.
class IpAddress {
 public:
  using Bytes = std::array<std::uint8_t, 16>;

  static std::optional<IpAddress> parse(std::string_view text);
  static std::optional<IpAddress> of(const sockaddr& address);

  bool is_v4() const;
  const Bytes& bytes() const { return bytes_; }  // an IPv4 address as ::ffff:a.b.c.d
  std::string text() const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  Bytes bytes_{};
};

// All addresses with the same first bits: "10.0.0.0/8", "fd00::/8", or one address.
struct Network {
  IpAddress base;
  unsigned bits = 128;  // of the sixteen bytes; for IPv4, 96 more than written

  static Result<Network> parse(std::string_view text);
  bool contains(const IpAddress& address) const;
};

// "10.0.0.0/8,fd00::/8"; an empty text is none.
Result<std::vector<Network>> parse_networks(std::string_view text);

}  // namespace belfry::deliver
