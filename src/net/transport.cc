#include "net/transport.h"

#include <sys/socket.h>
#include <sys/types.h>

#include <cerrno>
#include <cstring>

namespace belfry::net {
namespace {

class PlainTransport final : public Transport {
 public:
  explicit PlainTransport(int descriptor) : descriptor_(descriptor) {}

  IoResult read(char* to, std::size_t size) override {
    const ssize_t n = ::recv(descriptor_, to, size, MSG_DONTWAIT);
    if (n == 0) return {IoResult::kEnd};
    return outcome(n, IoResult::kWaitRead);
  }

  IoResult write(const char* from, std::size_t size) override {
    return outcome(::send(descriptor_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT),
                   IoResult::kWaitWrite);
  }

  bool has_unread() const override { return false; }
  void finish_writing() override { ::shutdown(descriptor_, SHUT_WR); }
  std::string trouble() const override { return trouble_ == 0 ? "" : std::strerror(trouble_); }

 private:
  IoResult outcome(ssize_t n, IoResult::Next when_blocked) {
    if (n >= 0) return {IoResult::kGoOn, static_cast<std::size_t>(n)};
    if (errno == EAGAIN || errno == EWOULDBLOCK) return {when_blocked};
    if (errno == EINTR) return {IoResult::kGoOn};
    trouble_ = errno;
    return {IoResult::kBroken};
  }

  const int descriptor_;
  int trouble_ = 0;
};

}  // namespace

std::unique_ptr<Transport> make_plain_transport(int descriptor) {
  return std::make_unique<PlainTransport>(descriptor);
}

}  // namespace belfry::net
