#include "net/server/front_door.h"

#include "base/mutex.h"
#include "tests/support/eventually.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace belfry::net {
namespace {

// A door of 12 connections, of which one address may have ten, and a server that only keeps them.
class FrontDoorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto door = FrontDoor::open({.host = "127.0.0.1", .port = 0}, 12);
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
  // Whether the door has closed it: waits until it is certain.
  static bool is_turned_away(int client) {
    char byte = 0;
    return ::recv(client, &byte, 1, 0) <= 0;
  }

  std::unique_ptr<FrontDoor> door_;
  std::vector<int> clients_;
  Mutex mutex_;
  std::vector<int> kept_ BELFRY_GUARDED_BY(mutex_);
};

TEST_F(FrontDoorTest, OneAddressLeavesConnectionsForOthers) {
  for (int i = 0; i < 10; ++i) connect_from("127.0.0.2");
  EXPECT_TRUE(is_turned_away(connect_from("127.0.0.2")));
  EXPECT_EQ(kept(), 10U);
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

}  // namespace
}  // namespace belfry::net
