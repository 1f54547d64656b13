#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace belfry::test {

struct RawResponse {
  int status = 0;      // 0: none came
  std::string header;  // with its lines' ends
  std::string body;
};

// A client on loopback that sends exactly the bytes it is told to, wrong ones too, and shares no
// code with what it tests.
class RawClient {
 public:
  // `receive_buffer`: small for a slow reader. `host`: its own address ends with it, 127.0.0.1.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0, std::uint32_t host = 1)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer > 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
    ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { close(); }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        is_connected_(other.is_connected_),
        input_(std::move(other.input_)) {}
  RawClient& operator=(RawClient&&) = delete;
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool is_connected() const { return is_connected_; }

  // False: the server has closed.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }

  void finish_sending() { ::shutdown(socket_, SHUT_WR); }

  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }

  // As if the machine had lost power, as far as a program can: a reset instead of a goodbye.
  void reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }

  // The next response. `to_head`: no body follows, whatever its length says.
  RawResponse read_response(bool to_head = false) {
    const std::string header = read_until("\r\n\r\n");
    if (header.empty()) return {};
    RawResponse response{.status = std::atoi(header.c_str() + 9), .header = header};
    const auto length = header.find("Content-Length: ");
    if (!to_head && length != std::string::npos) {
      response.body = read_exactly(std::strtoul(header.c_str() + length + 16, nullptr, 10));
    }
    return response;
  }

  // Up to and including `mark`; empty if the server closes before it.
  std::string read_until(std::string_view mark) {
    auto found = input_.find(mark);
    while (found == std::string::npos && read_some()) found = input_.find(mark);
    return found == std::string::npos ? "" : take(found + mark.size());
  }

  std::string read_exactly(std::size_t size) {
    while (input_.size() < size && read_some()) {
    }
    return input_.size() < size ? "" : take(size);
  }

  // Everything up to the end.
  std::string read_all() {
    while (read_some()) {
    }
    return std::exchange(input_, {});
  }

  // Reads and discards what has come.
  void drain() {
    char buffer[4096];
    while (::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT) > 0) {
    }
  }

  // Open, with nothing left to read.
  bool is_waiting() {
    char byte = 0;
    return ::recv(socket_, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 &&
           (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  bool is_closed_by_server() {
    while (read_some()) {
    }
    return ended_;
  }

 private:
  bool read_some() {
    pollfd watched{socket_, POLLIN, 0};
    if (::poll(&watched, 1, 60'000) != 1) return false;  // only so that a broken test ends
    char buffer[4096];
    const auto n = ::recv(socket_, buffer, sizeof buffer, 0);
    ended_ = n <= 0;
    if (n > 0) input_.append(buffer, static_cast<std::size_t>(n));
    return n > 0;
  }

  std::string take(std::size_t size) {
    std::string out = input_.substr(0, size);
    input_.erase(0, size);
    return out;
  }

  int socket_;
  bool is_connected_ = false;
  bool ended_ = false;
  std::string input_;
};

}  // namespace belfry::test
