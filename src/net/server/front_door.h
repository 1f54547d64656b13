#pragma once

#include "base/fair_share.h"
#include "base/result.h"
#include "net/url.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

namespace belfry::net {

// Accepts connections for a server that cannot count them itself (gRPC), and divides them among
// addresses: whoever has its share is turned away at once. It keeps a second descriptor of each
// connection, by which it sees that one of the two sides has ended it.
class FrontDoor {
 public:
  // Gets each connection, with the listener's descriptor, and closes it.
  using Take = std::function<void(int connection, int listener)>;

  // kUnavailable: the address is taken, or not this machine's.
  static Result<std::unique_ptr<FrontDoor>> open(const HostPort& address, std::size_t connections);
  ~FrontDoor();  // stop()
  FrontDoor(const FrontDoor&) = delete;
  FrontDoor& operator=(const FrontDoor&) = delete;

  std::uint16_t port() const { return port_; }

  // Accepts from now on, on a thread of its own. Once.
  void start(Take take);

  // Accepts no more. Connections stay with who took them. Safe to call twice.
  void stop();

 private:
  FrontDoor(int listener, std::uint16_t port, std::size_t connections);
  void loop();
  void accept_all();
  void take_in(int connection, const std::string& network);
  void let_go(int watched);

  const int listener_;
  const std::uint16_t port_;
  const int events_;  // epoll
  const int bell_;    // rings when it stops
  Take take_;
  std::thread thread_;
  // The thread's own:
  FairShare places_;
  std::unordered_map<int, std::string> guests_;  // our descriptor of each, and its network
};

}  // namespace belfry::net
