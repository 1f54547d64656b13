#include "net/client/client_socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>

namespace belfry::net {
namespace {

constexpr std::size_t kReadSize = 16 * 1024;

Trouble wait_for(int socket, short events, const Interrupt& interrupt, BootInstant deadline) {
  while (true) {
    const Duration left = deadline - RealClock().boot_now();
    if (left <= Duration::zero()) return Trouble::kTimedOut;
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    std::array<pollfd, 2> watched{pollfd{socket, events, 0},
                                  pollfd{interrupt.descriptor(), POLLIN, 0}};
    const int ready = ::poll(watched.data(), watched.size(),
                             static_cast<int>(std::min<std::int64_t>(milliseconds, INT_MAX)));
    if (ready < 0 && errno != EINTR) return Trouble::kBroken;
    if (ready <= 0) continue;
    if (watched[1].revents != 0) return Trouble::kInterrupted;
    return Trouble::kNone;
  }
}

// A connected socket, or the negated errno.
int connect_to(const addrinfo& where, const Interrupt& interrupt, BootInstant deadline) {
  const int socket = ::socket(where.ai_family, where.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                              where.ai_protocol);
  if (socket < 0) return -errno;
  int error = ::connect(socket, where.ai_addr, where.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    const Trouble trouble = wait_for(socket, POLLOUT, interrupt, deadline);
    socklen_t size = sizeof error;
    if (trouble == Trouble::kNone) {
      ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    } else {
      error = trouble == Trouble::kInterrupted ? ECANCELED : ETIMEDOUT;
    }
  }
  if (error != 0) {
    ::close(socket);
    return -error;
  }
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

int connect_to_unix(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) return -ENAMETOOLONG;
  path.copy(name.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return -errno;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0) return socket;
  const int error = errno;
  ::close(socket);
  return -error;
}

tl::unexpected<Error> not_reached(const Url& url, std::string_view why) {
  return fail({.code = Errc::kUnavailable,
               .message = url.socket.empty() ? fmt::format("cannot reach {}://{}: {}", url.scheme,
                                                           url.authority(), why)
                                             : fmt::format("cannot reach {}: {}", url.socket, why),
               .hint = "is the server running, and is this its address?"});
}

}  // namespace

Interrupt::Interrupt() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Interrupt::~Interrupt() {
  ::close(descriptor_);
}

void Interrupt::ring() const {
  const std::uint64_t one = 1;
  // Fails only when it has rung very many times, and then one more changes nothing.
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

Result<std::unique_ptr<ClientSocket>> ClientSocket::open(const Url& url, const TlsContext* tls,
                                                         const Interrupt& interrupt,
                                                         BootInstant deadline) {
  if (!url.socket.empty()) {
    const int connected = connect_to_unix(url.socket);
    if (connected < 0) return not_reached(url, std::strerror(-connected));
    std::unique_ptr<ClientSocket> socket(new ClientSocket(connected, interrupt));
    socket->transport_ = make_plain_transport(connected);
    return socket;
  }
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &found);
  if (error != 0) return not_reached(url, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  int connected = -EHOSTUNREACH;
  for (const addrinfo* each = found; each != nullptr && connected < 0; each = each->ai_next) {
    connected = connect_to(*each, interrupt, deadline);
  }
  if (connected < 0) return not_reached(url, std::strerror(-connected));
  std::unique_ptr<ClientSocket> socket(new ClientSocket(connected, interrupt));
  socket->transport_ =
      tls == nullptr ? make_plain_transport(connected) : tls->connect(connected, url.host);
  return socket;
}

ClientSocket::~ClientSocket() {
  if (transport_) transport_->finish_writing();
  ::close(socket_);
}

bool ClientSocket::is_quiet() const {
  pollfd watched{socket_, POLLIN, 0};
  return !transport_->has_unread() && ::poll(&watched, 1, 0) == 0;
}

Trouble ClientSocket::wait(IoResult::Next next, BootInstant deadline) const {
  switch (next) {
    case IoResult::kGoOn: return Trouble::kNone;
    case IoResult::kWaitRead: return wait_for(socket_, POLLIN, interrupt_, deadline);
    case IoResult::kWaitWrite: return wait_for(socket_, POLLOUT, interrupt_, deadline);
    case IoResult::kEnd:
    case IoResult::kBroken: break;
  }
  return Trouble::kBroken;
}

ClientSocket::Sent ClientSocket::send(std::string_view bytes, BootInstant deadline) {
  Sent sent;
  while (!bytes.empty() && sent.trouble == Trouble::kNone) {
    const IoResult put = transport_->write(bytes.data(), bytes.size());
    bytes.remove_prefix(put.bytes);
    sent.some = sent.some || put.bytes > 0;
    sent.trouble = wait(put.next, deadline);
  }
  return sent;
}

ClientSocket::Received ClientSocket::receive(std::string& to, BootInstant deadline) {
  std::array<char, kReadSize> buffer{};
  while (true) {
    const IoResult got = transport_->read(buffer.data(), buffer.size());
    if (got.next == IoResult::kEnd) return {};
    if (got.next == IoResult::kGoOn && got.bytes > 0) {
      to.append(buffer.data(), got.bytes);
      return {.bytes = got.bytes};
    }
    if (const Trouble trouble = wait(got.next, deadline); trouble != Trouble::kNone) {
      return {.trouble = trouble};
    }
  }
}

}  // namespace belfry::net
