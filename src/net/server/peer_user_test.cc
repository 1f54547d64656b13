#include "net/server/peer_user.h"

#include "net/server/listener.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace belfry::net {
namespace {

constexpr uid_t kNobody = 65534;

// A connection within this machine, of a client that another process may hold.
class PeerUserTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto listening = open_listener({.host = GetParam(), .port = 0});
    ASSERT_TRUE(listening);
    listener_ = listening->descriptor;
    port_ = listening->port;
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&name), &size);
    name_ = name;
    size_ = size;
  }
  void TearDown() override {
    close(listener_);  // and with it what was not accepted
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }

  int connect_here() const {
    const int client = socket(name_.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&name_), size_), 0);
    return client;
  }
  // Connects as somebody else, and stays until what it reads ends.
  void connect_as(uid_t user) {
    child_ = fork();
    if (child_ != 0) return;
    if (setuid(user) != 0) _exit(1);
    const int client = connect_here();
    char byte = 0;
    _exit(static_cast<int>(read(client, &byte, 1)));
  }
  int accept_next() const {
    pollfd wait{.fd = listener_, .events = POLLIN, .revents = 0};
    poll(&wait, 1, 10'000);
    return accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  }

  int listener_ = -1;
  std::uint16_t port_ = 0;
  sockaddr_storage name_{};
  socklen_t size_ = 0;
  pid_t child_ = -1;
};

TEST_P(PeerUserTest, IsWhoConnected) {
  const int client = connect_here();
  const int server = accept_next();
  EXPECT_EQ(peer_user(server), getuid());
  close(client);
  close(server);
}

TEST_P(PeerUserTest, IsNotWhoAccepted) {
  if (getuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  connect_as(kNobody);
  const int server = accept_next();
  EXPECT_EQ(peer_user(server), kNobody);
  close(server);
}

// The kernel gives sockets without an owner to root.
TEST_P(PeerUserTest, IsNobodyOnceTheyLeft) {
  const int client = connect_here();
  const int server = accept_next();
  close(client);
  char byte = 0;
  EXPECT_EQ(read(server, &byte, 1), 0);
  EXPECT_EQ(peer_user(server), std::nullopt);
  close(server);
}

INSTANTIATE_TEST_SUITE_P(Loopbacks, PeerUserTest, testing::Values("127.0.0.1", "::1"));

TEST(PeerUserOnceTest, OfAConnectionThatSomebodyElseHolds) {
  const auto listening = open_listener({.host = "127.0.0.1", .port = 0});
  ASSERT_TRUE(listening);
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{.sin_family = AF_INET, .sin_port = htons(listening->port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  sockaddr_in from{};
  socklen_t size = sizeof from;
  getsockname(client, reinterpret_cast<sockaddr*>(&from), &size);
  const HostPort here{.host = "127.0.0.1", .port = listening->port};
  const std::uint16_t port = ntohs(from.sin_port);
  EXPECT_EQ(peer_user({.host = "127.0.0.1", .port = port}, here), getuid());
  EXPECT_EQ(peer_user({.host = "127.0.0.1", .port = 1}, here), std::nullopt);
  EXPECT_EQ(peer_user({.host = "::1", .port = port}, here), std::nullopt);
  EXPECT_EQ(peer_user({.host = "localhost", .port = port}, here), std::nullopt);
  close(client);
  close(listening->descriptor);
}

// Some runtimes connect to everything by sockets of IPv6.
TEST(PeerUserOnceTest, OfASocketOfIPv6ThatSpeaksIPv4) {
  const auto listening = open_listener({.host = "127.0.0.1", .port = 0});
  ASSERT_TRUE(listening);
  const int client = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_port = htons(listening->port);
  ASSERT_EQ(inet_pton(AF_INET6, "::ffff:127.0.0.1", &to.sin6_addr), 1);
  ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  const int server = accept4(listening->descriptor, nullptr, nullptr, SOCK_CLOEXEC);
  EXPECT_EQ(peer_user(server), getuid());
  close(client);
  close(server);
  close(listening->descriptor);
}

TEST(PeerUserOnceTest, OfAUnixSocket) {
  int pair[2] = {-1, -1};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  EXPECT_EQ(peer_user(pair[0]), getuid());
  close(pair[0]);
  close(pair[1]);
}

}  // namespace
}  // namespace belfry::net
