#pragma once

#include "deliver/webhook/ip_address.h"
#include "net/url.h"

#include <functional>
#include <vector>

namespace belfry::deliver {

// Keeps webhooks out of places that only this machine or its network should reach: a job's URL is a
// stranger's wish.
//
// A name says nothing about where it leads, so the addresses decide: all that a name resolves to
// must be allowed, and only one of those is dialled. A name that changes between check and call
// (rebinding) therefore changes nothing.
class AddressGuard {
 public:
  // `allowed`: networks the operator opens. `own`: addresses of this machine. `opens_loopback`:
  // whether loopback is open just now; null: it is not. It is asked by whoever checks, and may wait.
  AddressGuard(std::vector<Network> allowed, std::vector<IpAddress> own,
               std::function<bool()> opens_loopback = {})
      : allowed_(std::move(allowed)),
        own_(std::move(own)),
        opens_loopback_(std::move(opens_loopback)) {}

  // What a URL must look like before anybody resolves it.
  static Status check(const net::Url& url);

  Status check(const IpAddress& address, std::uint16_t port) const;

  // One bad address is enough: a name that mixes them is up to something.
  Status check(const std::vector<IpAddress>& addresses, std::uint16_t port) const;

 private:
  std::vector<Network> allowed_;
  std::vector<IpAddress> own_;
  std::function<bool()> opens_loopback_;
};

// The addresses of this machine's interfaces.
std::vector<IpAddress> own_addresses();

}  // namespace belfry::deliver
