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
#include <vector>

namespace belfry::test {

// A server on loopback that sends exactly the bytes it is told to, wrong ones too. It serves one
// connection after the other until it is destroyed; a peer that stays would delay that, so close
// it first.
class FakeServer {
 public:
  using Answer = std::function<std::string(const std::string& heard)>;

  // For HTTP: the first connection gets the first answer, once the header of its request has come,
  // and is closed; and so on. After the last answer, nobody is served.
  explicit FakeServer(std::vector<std::string> answers)
      : FakeServer([answers = std::move(answers), next = std::size_t{0}](int socket) mutable {
          if (hear_header(socket)) say(socket, answers[next]);
          return ++next < answers.size();
        }) {}

  // A conversation: a greeting, then an answer to each piece it reads.
  FakeServer(const std::string& greeting, const Answer& answer)
      : FakeServer([greeting, answer](int socket) {
          say(socket, greeting);
          for (std::string heard; !(heard = hear(socket)).empty();) say(socket, answer(heard));
          return true;
        }) {}

  ~FakeServer() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  // Serves a connection; returns whether it takes another.
  using Serve = std::function<bool(int socket)>;

  explicit FakeServer(Serve serve)
      : serve_(std::move(serve)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, name, size) != 0 || ::listen(listener_, 16) != 0) return;
    ::getsockname(listener_, name, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { accept_all(); });
  }

  void accept_all() {
    for (bool goes_on = true; goes_on;) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      goes_on = serve_(socket);
      ::close(socket);
    }
  }

  static void say(int socket, const std::string& text) {
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
  }
  // What comes next; empty when the peer is done.
  static std::string hear(int socket) {
    std::string piece(64 * 1024, '\0');
    const auto got = ::recv(socket, piece.data(), piece.size(), 0);
    piece.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return piece;
  }
  static bool hear_header(int socket) {
    std::string heard;
    while (heard.find("\r\n\r\n") == std::string::npos) {
      const std::string piece = hear(socket);
      if (piece.empty()) return false;
      heard += piece;
    }
    return true;
  }

  Serve serve_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace belfry::test
