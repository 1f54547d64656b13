#pragma once

#include "base/clock.h"
#include "base/condition.h"
#include "base/fair_share.h"
#include "base/mutex.h"
#include "base/result.h"
#include "net/server/visit.h"
#include "net/url.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

namespace belfry::net {

// Accepts connections for a server that cannot count them itself (gRPC), and divides them among
// addresses: whoever has its share is turned away at once. It keeps a second descriptor of each
// connection, by which it sees that one of the two sides has ended it.
//
// It also ends what is no visit: connections that send far more than their calls need, and those
// that begin calls only to give them up. gRPC keeps some 20 kB for each such call, and all of a
// header that never ends, whoever sends it. The network of such a connection is let in slowly for
// a while.
class FrontDoor {
 public:
  // Gets each connection, with the listener's descriptor, and closes it.
  using Take = std::function<void(int connection, int listener)>;
  // Hears of each connection that was cut, and why.
  using OnCut = std::function<void(const std::string& peer, std::string_view why)>;
  struct Options {
    std::size_t connections = 0;
    const Clock& clock;
    OnCut on_cut = [](const std::string&, std::string_view) {};
  };

  // kUnavailable: the address is taken, or not this machine's.
  static Result<std::unique_ptr<FrontDoor>> open(const HostPort& address, Options options);
  ~FrontDoor();  // stop()
  FrontDoor(const FrontDoor&) = delete;
  FrontDoor& operator=(const FrontDoor&) = delete;

  std::uint16_t port() const { return port_; }

  // Accepts from now on, on threads of its own. Once.
  void start(Take take);

  // Accepts no more. Connections stay with who took them. Safe to call twice.
  void stop();

  // The visit of this peer, "127.0.0.1:4711"; of one that has left, one that nobody looks at.
  std::shared_ptr<Visit> visit_of(const std::string& peer) const;

 private:
  struct Guest {
    std::string network;
    std::string peer;
    std::shared_ptr<Visit> visit;
    BootInstant since;
    BootInstant counted_since = {};  // when `given_up` calls had been given up
    std::uint64_t given_up = 0;
  };
  struct Suspect {
    BootInstant until;
    BootInstant next;  // when another connection is taken
  };

  FrontDoor(int listener, std::uint16_t port, Options options);
  void loop();
  void hand_over();
  void accept_all();
  void take_in(int connection, const std::string& network, const std::string& peer);
  void let_go(int watched);
  void look_round();
  std::string_view wrong_with(int watched, Guest& guest, BootInstant now, bool with_bytes) const;
  void cut(int watched, std::string_view why);
  bool must_wait(const std::string& network);

  const int listener_;
  const std::uint16_t port_;
  const int events_;  // epoll
  const int bell_;    // rings when it stops
  const Options options_;
  Take take_;
  std::thread thread_;
  // Whoever takes a connection may begin to serve it on the thread that brings it (gRPC does), and
  // a flood keeps that one busy. So it is not the one that looks round.
  std::thread usher_;
  mutable Mutex mutex_;
  Condition arrived_;
  std::deque<int> arrivals_ BELFRY_GUARDED_BY(mutex_);
  bool stopping_ BELFRY_GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, std::shared_ptr<Visit>> visits_ BELFRY_GUARDED_BY(mutex_);
  // The thread's own:
  FairShare places_;
  std::unordered_map<int, Guest> guests_;              // by our descriptor of each
  std::unordered_map<std::string, Suspect> suspects_;  // by network
  BootInstant looked_at_ = {};
  std::uint64_t rounds_ = 0;
};

}  // namespace belfry::net
