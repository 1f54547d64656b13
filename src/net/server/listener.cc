#include "net/server/listener.h"

#include "net/network.h"
#include "net/server/peer_user.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace belfry::net {
namespace {

struct NumericAddress {
  HostPort address;

  explicit NumericAddress(const sockaddr_storage& storage, socklen_t size) {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> port{};
    const auto* const address_of = reinterpret_cast<const sockaddr*>(&storage);
    if (getnameinfo(address_of, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
      address.host = host.data();
      address.port = static_cast<std::uint16_t>(std::atoi(port.data()));
    }
  }
};

int listen_on(const addrinfo& where) {
  const int descriptor = ::socket(where.ai_family, where.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                                  where.ai_protocol);
  if (descriptor < 0) return -1;
  const int on = 1;
  ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(descriptor, where.ai_addr, where.ai_addrlen) == 0 &&
      ::listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int trouble = errno;
  ::close(descriptor);
  errno = trouble;
  return -1;
}

tl::unexpected<Error> cannot_listen(const HostPort& address, std::string_view why) {
  return fail({.code = Errc::kUnavailable,
               .message = fmt::format("cannot listen on {}: {}", to_string(address), why),
               .field = "listen",
               .hint = "is another process using it, or is the address not this machine's?"});
}

}  // namespace

Result<ListeningSocket> open_listener(const HostPort& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) return cannot_listen(address, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  int descriptor = -1;
  for (const addrinfo* each = found; each != nullptr && descriptor < 0; each = each->ai_next) {
    descriptor = listen_on(*each);
  }
  if (descriptor < 0) return cannot_listen(address, std::strerror(errno));
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size);
  return ListeningSocket{.descriptor = descriptor, .port = NumericAddress(name, size).address.port};
}

Result<ListeningSocket> open_unix_listener(const std::string& path) {
  const auto refuse = [&](const char* why) {
    return fail({.code = Errc::kInvalid,
                 .message = fmt::format("cannot listen on `{}`: {}", path, why),
                 .field = "socket",
                 .hint = "name a path of up to 107 bytes in a folder that this user may write to"});
  };
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) return refuse("the path is too long");
  path.copy(name.sun_path, path.size());
  const auto* const address = reinterpret_cast<const sockaddr*>(&name);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return refuse(std::strerror(errno));
  if (::connect(descriptor, address, sizeof name) == 0) {
    ::close(descriptor);
    return refuse("another server listens there");
  }
  struct stat there{};
  if (::lstat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) ::unlink(path.c_str());
  const mode_t before = ::umask(0177);  // nobody else, from the first moment on
  const bool bound = ::bind(descriptor, address, sizeof name) == 0;
  const int trouble = errno;
  ::umask(before);
  if (bound && ::listen(descriptor, SOMAXCONN) == 0) {
    return ListeningSocket{.descriptor = descriptor, .port = 0};
  }
  ::close(descriptor);
  return refuse(std::strerror(bound ? errno : trouble));
}

std::optional<AcceptedSocket> accept_one(int listener, AcceptTrouble& trouble) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  const int descriptor =
      ::accept4(listener, reinterpret_cast<sockaddr*>(&name), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) {
    const bool exhausted =
        errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    const bool nobody = errno == EAGAIN || errno == EWOULDBLOCK;
    trouble = exhausted ? AcceptTrouble::kExhausted
                        : (nobody ? AcceptTrouble::kNobody : AcceptTrouble::kGaveUp);
    return std::nullopt;
  }
  if (name.ss_family == AF_UNIX) {
    return AcceptedSocket{.descriptor = descriptor,
                          .address = "unix",
                          .network = "unix",
                          .user = peer_user(descriptor)};
  }
  const int on = 1;  // answers are written whole: waiting for more would only delay them
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const HostPort peer = NumericAddress(name, size).address;
  return AcceptedSocket{.descriptor = descriptor,
                        .address = to_string(peer),
                        .network = network_of(peer.host),
                        .user = is_loopback(peer.host) ? peer_user(descriptor) : std::nullopt};
}

}  // namespace belfry::net
