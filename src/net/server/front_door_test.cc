#include "net/server/front_door.h"

#include "base/manual_clock.h"
#include "base/mutex.h"
#include "tests/support/eventually.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace belfry::net {
namespace {

// A door of 12 connections, of which one address may have ten, and a server that only keeps them.
class FrontDoorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto door = FrontDoor::open({.host = "127.0.0.1", .port = 0},
                                {.connections = 12,
                                 .clock = clock_,
                                 .on_cut = [this](const std::string&, std::string_view why) {
                                   const MutexLock lock(mutex_);
                                   cuts_.emplace_back(why);
                                 }});
    ASSERT_TRUE(door);
    door_ = std::move(*door);
    door_->start([this](int connection, int) {
      const MutexLock lock(mutex_);
      kept_.push_back(connection);
    });
  }
  void TearDown() override {
    door_.reset();
    const MutexLock lock(mutex_);
    for (const int each : kept_) ::close(each);
    for (const int each : clients_) ::close(each);
  }

  int connect_from(const char* address) {
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    inet_pton(AF_INET, address, &name.sin_addr);
    EXPECT_EQ(::bind(client, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    inet_pton(AF_INET, "127.0.0.1", &name.sin_addr);
    name.sin_port = htons(door_->port());
    EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
    clients_.push_back(client);
    return client;
  }
  std::size_t kept() {
    const MutexLock lock(mutex_);
    return kept_.size();
  }
  // Until so many bytes have come to the server's first connection, which reads them.
  void read(std::size_t bytes) {
    std::string into(64 * 1024, ' ');
    EXPECT_TRUE(test::eventually([&] {
      const MutexLock lock(mutex_);
      const auto got = ::recv(kept_.front(), into.data(), into.size(), MSG_DONTWAIT);
      if (got > 0) bytes -= static_cast<std::size_t>(got);
      return bytes == 0;
    }));
  }
  // Whether the door has closed it: waits until it is certain.
  static bool is_turned_away(int client) {
    char byte = 0;
    return ::recv(client, &byte, 1, 0) <= 0;
  }

  std::vector<std::string> cuts() {
    const MutexLock lock(mutex_);
    return cuts_;
  }
  std::shared_ptr<Visit> visit_of(int client) const {
    sockaddr_in name{};
    socklen_t size = sizeof name;
    EXPECT_EQ(::getsockname(client, reinterpret_cast<sockaddr*>(&name), &size), 0);
    return door_->visit_of("127.0.0.2:" + std::to_string(ntohs(name.sin_port)));
  }
  // The door looks round each time its time has come, and that long has passed on the clock.
  void let_it_look(int times = 20) {
    for (int i = 0; i < times; ++i) {
      clock_.advance(std::chrono::milliseconds(60));
      ::poll(nullptr, 0, 60);
    }
  }
  bool is_cut() {
    for (int i = 0; i < 500 && cuts().empty(); ++i) let_it_look(1);
    return !cuts().empty();
  }

  ManualClock clock_;
  std::unique_ptr<FrontDoor> door_;
  std::vector<int> clients_;
  Mutex mutex_;
  std::vector<int> kept_ BELFRY_GUARDED_BY(mutex_);
  std::vector<std::string> cuts_ BELFRY_GUARDED_BY(mutex_);
};

constexpr std::size_t kFree = 96 * 1024;

void send(int client, std::size_t bytes) {
  const std::string text(bytes, 'x');
  EXPECT_EQ(::send(client, text.data(), text.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(text.size()));
}

TEST_F(FrontDoorTest, OneAddressLeavesConnectionsForOthers) {
  for (int i = 0; i < 10; ++i) connect_from("127.0.0.2");
  EXPECT_TRUE(is_turned_away(connect_from("127.0.0.2")));
  EXPECT_TRUE(test::eventually([&] { return kept() == 10; }));
  connect_from("127.0.0.3");
  EXPECT_TRUE(test::eventually([&] { return kept() == 11; }));
}

TEST_F(FrontDoorTest, WhatTheClientEndsIsFreeAgain) {
  for (int i = 0; i < 10; ++i) connect_from("127.0.0.2");
  EXPECT_TRUE(test::eventually([&] { return kept() == 10; }));
  ::shutdown(clients_.front(), SHUT_RDWR);
  EXPECT_TRUE(test::eventually([&] {
    connect_from("127.0.0.2");
    return kept() == 11;
  }));
}

TEST_F(FrontDoorTest, WhatTheServerEndsIsFreeAgain) {
  for (int i = 0; i < 10; ++i) connect_from("127.0.0.2");
  EXPECT_TRUE(test::eventually([&] { return kept() == 10; }));
  {
    const MutexLock lock(mutex_);
    ::shutdown(kept_.front(), SHUT_RDWR);
  }
  EXPECT_TRUE(test::eventually([&] {
    connect_from("127.0.0.2");
    return kept() == 11;
  }));
  EXPECT_TRUE(is_turned_away(clients_.front())) << "somebody keeps it open";
}

// The door's descriptor of a guest that left gets the number of one that left before. What still
// happens to that one, which the server has not closed yet, is no news of the new guest.
TEST_F(FrontDoorTest, WhoHasLeftDoesNotTakeAnotherAlong) {
  const int gaps[] = {::fcntl(0, F_DUPFD_CLOEXEC, 0), ::fcntl(0, F_DUPFD_CLOEXEC, 0)};
  const int first = connect_from("127.0.0.2");
  const auto is_known = [&](int client) { return visit_of(client) == visit_of(client); };
  ASSERT_TRUE(test::eventually([&] { return kept() == 1 && is_known(first); }));
  ::shutdown(first, SHUT_WR);
  ASSERT_TRUE(test::eventually([&] { return !is_known(first); }));
  // For both ends of the next connection, so that the door's descriptor is as the first's was.
  for (const int each : gaps) ::close(each);
  const int second = connect_from("127.0.0.2");
  ASSERT_TRUE(test::eventually([&] { return kept() == 2; }));
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(first, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  const int client = ::fcntl(0, F_DUPFD_CLOEXEC, 0);
  ::dup3(client, first, O_CLOEXEC);  // closes it, which resets the connection
  ::close(client);
  let_it_look();
  EXPECT_TRUE(is_known(second));
}

TEST_F(FrontDoorTest, BytesWithoutACallEndAConnection) {
  const int client = connect_from("127.0.0.2");
  send(client, 2 * kFree);
  EXPECT_TRUE(is_cut());
  EXPECT_EQ(cuts(), std::vector<std::string>{"bytes without a call"});
  EXPECT_TRUE(is_turned_away(client));
}

TEST_F(FrontDoorTest, BytesOfACallAreItsOwn) {
  const int client = connect_from("127.0.0.2");
  ASSERT_TRUE(test::eventually([&] { return kept() == 1; }));
  const auto visit = visit_of(client);
  visit->let_in();
  send(client, 2 * kFree);  // on its way
  read(2 * kFree);
  let_it_look();
  visit->take_message(2 * kFree);
  visit->take_leave(true);
  send(client, kFree / 2);
  read(kFree / 2);
  let_it_look();
  EXPECT_TRUE(cuts().empty());
  send(client, 2 * kFree);
  EXPECT_TRUE(is_cut()) << "a call of the past explains what comes after it";
}

TEST_F(FrontDoorTest, CallsGivenUpEndAConnection) {
  const auto visit = [&] {
    const int client = connect_from("127.0.0.2");
    EXPECT_TRUE(test::eventually([&] { return kept() == 1; }));
    return visit_of(client);
  }();
  for (int i = 0; i < 2'700; ++i) visit->note_given_up();
  clock_.advance(std::chrono::seconds(10));
  let_it_look();
  for (int i = 0; i < 2'700; ++i) visit->note_given_up();
  let_it_look();
  EXPECT_TRUE(cuts().empty()) << "they are too many only at once";
  for (int i = 0; i < 2'700; ++i) visit->note_given_up();
  EXPECT_TRUE(is_cut());
  EXPECT_EQ(cuts(), std::vector<std::string>{"calls given up"});
}

TEST_F(FrontDoorTest, MoreOpenCallsThanStreamsEndAConnection) {
  const int client = connect_from("127.0.0.2");
  ASSERT_TRUE(test::eventually([&] { return kept() == 1; }));
  const auto visit = visit_of(client);
  for (int i = 0; i < 2'000; ++i) visit->arrive();
  let_it_look();
  EXPECT_TRUE(cuts().empty());
  visit->arrive();
  EXPECT_TRUE(is_cut());
  EXPECT_EQ(cuts(), std::vector<std::string>{"calls at once"});
}

TEST_F(FrontDoorTest, WhoWasCutComesBackSlowly) {
  send(connect_from("127.0.0.2"), 2 * kFree);
  ASSERT_TRUE(is_cut());
  EXPECT_TRUE(is_turned_away(connect_from("127.0.0.2")));
  connect_from("127.0.0.3");  // somebody else
  EXPECT_TRUE(test::eventually([&] { return kept() == 2; }));
  clock_.advance(std::chrono::seconds(1));
  connect_from("127.0.0.2");
  EXPECT_TRUE(test::eventually([&] { return kept() == 3; }));
  EXPECT_TRUE(is_turned_away(connect_from("127.0.0.2")));
  clock_.advance(std::chrono::seconds(10));
  for (int i = 0; i < 2; ++i) connect_from("127.0.0.2");
  EXPECT_TRUE(test::eventually([&] { return kept() == 5; }));
}

}  // namespace
}  // namespace belfry::net
