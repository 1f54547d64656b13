#include "net/server/peer_user.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace belfry::net {
namespace {

// One side of a TCP connection, as the kernel's socket table writes it.
struct Side {
  std::uint8_t family = AF_UNSPEC;
  std::uint16_t port = 0;             // in network order
  std::array<std::uint32_t, 4> ip{};  // in network order
};

std::optional<Side> side_of(const sockaddr_storage& name) {
  Side side{.family = static_cast<std::uint8_t>(name.ss_family)};
  if (name.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(name);
    side.port = v4.sin_port;
    std::memcpy(side.ip.data(), &v4.sin_addr, sizeof v4.sin_addr);
    return side;
  }
  if (name.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(name);
    side.port = v6.sin6_port;
    std::memcpy(side.ip.data(), &v6.sin6_addr, sizeof v6.sin6_addr);
    return side;
  }
  return {};
}

std::optional<Side> side_of(const HostPort& address) {
  Side side{.port = htons(address.port)};
  for (const int family : {AF_INET, AF_INET6}) {
    if (inet_pton(family, address.host.c_str(), side.ip.data()) != 1) continue;
    side.family = static_cast<std::uint8_t>(family);
    return side;
  }
  return {};
}

struct Question {
  nlmsghdr header{};
  inet_diag_req_v2 body{};
};

Question question_about(const Side& peer, const Side& here) {
  Question question;
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = peer.family;
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = 1U << TCP_ESTABLISHED;
  inet_diag_sockid& id = question.body.id;
  id.idiag_sport = peer.port;
  id.idiag_dport = here.port;
  std::memcpy(id.idiag_src, peer.ip.data(), sizeof id.idiag_src);
  std::memcpy(id.idiag_dst, here.ip.data(), sizeof id.idiag_dst);
  id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

// ::ffff:127.0.0.1 as 127.0.0.1: a program may use sockets of IPv6 for both.
std::array<std::uint32_t, 4> plain(std::uint8_t family, const __be32 (&ip)[4]) {
  const bool is_mapped = family == AF_INET6 && ip[0] == 0 && ip[1] == 0 && ip[2] == htonl(0xffff);
  if (is_mapped || family == AF_INET) return {is_mapped ? ip[3] : ip[0]};
  return {ip[0], ip[1], ip[2], ip[3]};
}

// Whether the kernel found exactly the socket we asked for: it may answer with one that listens.
bool is_answer_to(const Question& question, const inet_diag_msg& answer) {
  const inet_diag_sockid& asked = question.body.id;
  const std::uint8_t family = question.body.sdiag_family;
  return answer.idiag_state == TCP_ESTABLISHED && answer.id.idiag_sport == asked.idiag_sport &&
         answer.id.idiag_dport == asked.idiag_dport &&
         plain(answer.idiag_family, answer.id.idiag_src) == plain(family, asked.idiag_src) &&
         plain(answer.idiag_family, answer.id.idiag_dst) == plain(family, asked.idiag_dst);
}

std::optional<uid_t> ask_kernel(const Question& question) {
  const int link = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (link < 0) return {};
  std::array<char, 4096> reply{};
  const bool asked = ::send(link, &question, sizeof question, 0) == sizeof question;
  const ssize_t size = asked ? ::recv(link, reply.data(), reply.size(), 0) : -1;
  ::close(link);
  nlmsghdr header{};
  inet_diag_msg answer{};
  if (size < static_cast<ssize_t>(NLMSG_HDRLEN + sizeof answer)) return {};
  std::memcpy(&header, reply.data(), sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return {};  // an error: there is none
  std::memcpy(&answer, reply.data() + NLMSG_HDRLEN, sizeof answer);
  if (!is_answer_to(question, answer)) return {};
  return answer.idiag_uid;
}

std::optional<uid_t> user_of(const std::optional<Side>& peer, const std::optional<Side>& here) {
  if (!peer || !here || peer->family != here->family) return {};
  return ask_kernel(question_about(*peer, *here));
}

bool is_connected(int connection) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return ::getsockopt(connection, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
         info.tcpi_state == TCP_ESTABLISHED;
}

}  // namespace

std::optional<uid_t> peer_user(int connection) {
  sockaddr_storage peer{};
  sockaddr_storage here{};
  socklen_t size = sizeof here;
  if (::getsockname(connection, reinterpret_cast<sockaddr*>(&here), &size) != 0) return {};
  if (here.ss_family == AF_UNIX) {
    ucred owner{};
    size = sizeof owner;
    if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &owner, &size) != 0) return {};
    return owner.uid;
  }
  size = sizeof peer;
  if (::getpeername(connection, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return {};
  const auto user = user_of(side_of(peer), side_of(here));
  return user && is_connected(connection) ? user : std::nullopt;
}

std::optional<uid_t> peer_user(const HostPort& peer, const HostPort& here) {
  return user_of(side_of(peer), side_of(here));
}

}  // namespace belfry::net
