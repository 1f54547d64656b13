#pragma once

#include "base/real_clock.h"
#include "deliver/topic/broker.h"
#include "tests/fuzz/fuzz.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace belfry::fuzz {

// A broker that says what it is told, whatever it hears, and then hangs up.
class LyingBroker {
 public:
  LyingBroker() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_ANY);
    BELFRY_ASSERT(::bind(listener_, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0);
    socklen_t size = sizeof any;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&any), &size);
    port_ = ntohs(any.sin_port);
    ::listen(listener_, 1);
    std::thread([this] {
      for (;;) answer_one();
    }).detach();
  }

  // Never the same address soon: a closed connection keeps its ports for a minute.
  std::string address(const std::string& scheme) {
    ++count_;
    return scheme + "://127.0." + std::to_string(count_ / 100 % 250) + "." +
           std::to_string(count_ / 25'000 % 250 + 1) + ":" + std::to_string(port_);
  }
  void say(std::string text) { text_ = std::move(text); }  // before it is called
  // Until all who called have hung up.
  void finish() {
    for (auto served = served_.load(); served < count_; served = served_.load()) {
      served_.wait(served);
    }
  }

 private:
  void answer_one() {
    const int caller = ::accept(listener_, nullptr, nullptr);
    if (caller < 0) return;
    [[maybe_unused]] const auto sent = ::send(caller, text_.data(), text_.size(), MSG_NOSIGNAL);
    ::shutdown(caller, SHUT_WR);
    std::array<char, 4096> ignored;
    while (::recv(caller, ignored.data(), ignored.size(), 0) > 0) {
    }
    ::close(caller);
    ++served_;
    served_.notify_one();
  }

  const int listener_;
  std::uint16_t port_ = 0;
  std::uint64_t count_ = 0;
  std::atomic<std::uint64_t> served_ = 0;
  std::string text_;
};

// Whatever a broker says, each message has one answer.
inline void publish_to_liar(const std::string& scheme, std::string_view says) {
  static LyingBroker liar;
  static const RealClock clock;
  liar.say(std::string(says));
  const auto address = deliver::BrokerAddress::parse("bus=" + liar.address(scheme));
  BELFRY_ASSERT(address.has_value());
  auto broker = deliver::make_broker(*address, clock);
  if (broker->connect()) {
    const std::array<deliver::Message, 2> messages{
        {{.topic = "a", .id = "1", .key = "k", .body = "{}"},
         {.topic = "b", .id = "2", .key = "k", .body = "{}"}}};
    BELFRY_ASSERT(broker->publish(messages).size() == messages.size());
  }
  broker.reset();
  liar.finish();
}

}  // namespace belfry::fuzz
