#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace belfry::test {

// A server on loopback that says exactly the bytes it is told, also wrong ones: the first
// connection gets the first answer, once its request has come, and is closed; and so on.
class FakeServer {
 public:
  explicit FakeServer(std::vector<std::string> answers)
      : answers_(std::move(answers)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
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
  ~FakeServer() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void serve() const {
    for (const std::string& answer : answers_) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      char request[4096];
      if (::recv(socket, request, sizeof request, 0) > 0) {
        ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL);
      }
      ::close(socket);
    }
  }

  const std::vector<std::string> answers_;
  const int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace belfry::test
