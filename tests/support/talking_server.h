#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <utility>

namespace belfry::test {

// A server on loopback that holds a conversation: a greeting, then an answer to each piece it
// reads. One connection after the other, until it is destroyed, which a peer that stays would hold
// up: close that first.
class TalkingServer {
 public:
  using Answer = std::function<std::string(const std::string& heard)>;

  TalkingServer(std::string greeting, Answer answer)
      : greeting_(std::move(greeting)),
        answer_(std::move(answer)),
        listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, name, size) != 0 || ::listen(listener_, 16) != 0) return;
    ::getsockname(listener_, name, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~TalkingServer() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }
  TalkingServer(const TalkingServer&) = delete;
  TalkingServer& operator=(const TalkingServer&) = delete;

  std::string port() const { return std::to_string(port_); }

 private:
  void serve() const {
    for (;;) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      say(socket, greeting_);
      char piece[64 * 1024];
      for (;;) {
        const auto got = ::recv(socket, piece, sizeof piece, 0);
        if (got <= 0) break;
        say(socket, answer_(std::string(piece, static_cast<std::size_t>(got))));
      }
      ::close(socket);
    }
  }
  static void say(int socket, const std::string& text) {
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
  }

  const std::string greeting_;
  const Answer answer_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace belfry::test
