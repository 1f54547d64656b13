#include "net/server/responder.h"

#include "base/mutex.h"
#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Event;
using test::RawClient;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// Keeps what handlers got, for another thread.
class Kept {
 public:
  void add(Responder responder) {
    {
      const MutexLock lock(mutex_);
      responders_.push_back(std::move(responder));
    }
    came.happen();
  }
  std::vector<Responder> take() {
    const MutexLock lock(mutex_);
    return std::exchange(responders_, {});
  }

  Event came;

 private:
  Mutex mutex_;
  std::vector<Responder> responders_;
};

TEST(ResponderTest, MayBeAnsweredFromAnyThread) {
  Kept kept;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) clients.emplace_back(server->port());
  for (auto& client : clients) client.send(kGet);
  ASSERT_TRUE(kept.came.wait(20));
  std::vector<std::thread> threads;
  for (auto& responder : kept.take()) {
    threads.emplace_back([responder] { EXPECT_TRUE(responder.send({.body = "late"})); });
  }
  for (std::thread& thread : threads) thread.join();
  for (auto& client : clients) EXPECT_EQ(client.read_response().body, "late");
}

TEST(ResponderTest, TakesOneAnswer) {
  Kept kept;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  const Responder responder = kept.take().front();
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { taken += responder.send({.body = "one"}) ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(client.read_response().body, "one");
  EXPECT_TRUE(responder.stream({}).is_closed());
  EXPECT_FALSE(responder.park(seconds(1), [](ParkEnd) {}));
  client.send(kGet);  // the seven others are not in its way
  ASSERT_TRUE(kept.came.wait(2));
  kept.take().front().send({.body = "two"});
  EXPECT_EQ(client.read_response().body, "two");
}

TEST(ResponderTest, Answers500WhenTheLastCopyGoes) {
  Kept kept;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  kept.take();
  EXPECT_EQ(client.read_response().status, 500);
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait(2));
  kept.take().front().send({.body = "still here"});
  EXPECT_EQ(client.read_response().body, "still here");
}

TEST(ResponderTest, EndsParkingInTime) {
  const auto server = start_server([](const Request&, const Responder& to) {
    EXPECT_TRUE(to.park(milliseconds(20), [to](ParkEnd why) {
      EXPECT_EQ(why, ParkEnd::kTimeUp);
      to.send({.body = "nothing new"});
    }));
    EXPECT_FALSE(to.park(milliseconds(20), [](ParkEnd) {}));
  });
  RawClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.send(kGet);
    EXPECT_EQ(client.read_response().body, "nothing new");
  }
  EXPECT_EQ(server->stats().parked, 0U);
}

TEST(ResponderTest, MayParkLaterAndAgain) {
  Kept kept;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  const Responder to = kept.take().front();
  to.park(milliseconds(5), [to](ParkEnd) {
    to.park(milliseconds(5), [to](ParkEnd) { to.send({.body = "twice"}); });
  });
  EXPECT_EQ(client.read_response().body, "twice");
}

TEST(ResponderTest, AnswersAParkedRequestBeforeItsTime) {
  Kept kept;
  std::atomic<int> ended = 0;
  const auto server = start_server([&](const Request&, const Responder& to) {
    to.park(seconds(60), [&](ParkEnd) { ++ended; });
    kept.add(to);
  });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  EXPECT_EQ(server->stats().parked, 1U);
  kept.take().front().send({.body = "news"});
  EXPECT_EQ(client.read_response().body, "news");
  EXPECT_EQ(server->stats().parked, 0U);
  EXPECT_EQ(ended, 0);
}

TEST(ResponderTest, TellsWhenAParkedClientLeaves) {
  for (const bool abruptly : {false, true}) {
    Event came;
    Event gone;
    const auto server = start_server([&](const Request&, const Responder& to) {
      to.park(seconds(60), [&, to](ParkEnd why) {
        EXPECT_EQ(why, ParkEnd::kGone);
        EXPECT_TRUE(to.is_gone());
        EXPECT_FALSE(to.send({}));
        gone.happen();
      });
      came.happen();
    });
    RawClient client(server->port());
    client.send(kGet);
    ASSERT_TRUE(came.wait());
    abruptly ? client.reset() : client.close();
    EXPECT_TRUE(gone.wait());
    EXPECT_EQ(server->stats().parked, 0U);
  }
}

TEST(ResponderTest, ServesNothingMoreToAClientThatLeftWhileParked) {
  Event came;
  Event gone;
  const auto server = start_server([&](const Request&, const Responder& to) {
    to.park(seconds(60), [&, to](ParkEnd) { gone.happen(); });
    came.happen();
  });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(came.wait());
  client.send(kGet);
  client.close();
  ASSERT_TRUE(gone.wait());
  server->stop({});
  EXPECT_EQ(came.times(), 1);
}

TEST(ResponderTest, TellsWhenAClientLeavesThatWasParkedBehindItsBack) {
  Kept kept;
  Event gone;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  client.close();
  const Responder to = kept.take().front();
  const bool parked = to.park(seconds(60), [&](ParkEnd) { gone.happen(); });
  EXPECT_TRUE(!parked || gone.wait());
}

TEST(ResponderTest, ParksNoMoreThanTheLimit) {
  const auto server = start_server(
      [](const Request& request, const Responder& to) {
        if (request.path == "/stream") return void(to.stream({}));
        if (!to.park(seconds(60), [to](ParkEnd) {})) to.send({.status = 429});
      },
      {.limits = {.parked = 2}});
  std::vector<RawClient> clients;
  for (int i = 0; i < 2; ++i) clients.emplace_back(server->port()).send(kGet);
  RawClient prober(server->port());
  int status = 0;
  while (status != 429) {  // the other two may not have been read yet
    if (server->stats().parked < 2) {
      std::this_thread::yield();
      continue;
    }
    prober.send(kGet);
    status = prober.read_response().status;
    ASSERT_EQ(status, 429);
  }
  prober.send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(prober.read_response().status, 503);
}

TEST(ResponderTest, OnePayerLeavesPlacesForOthers) {
  Event came;
  std::atomic<int> full = 0;
  const auto server = start_server(
      [&](const Request& request, const Responder& to) {
        to.charge_to(request.path);
        if (!to.park(seconds(60), [to](ParkEnd) {})) ++full;
        came.happen();
      },
      {.limits = {.parked = 12}});
  std::vector<RawClient> clients;
  for (int i = 0; i < 12; ++i) {
    clients.emplace_back(server->port()).send("GET /greedy HTTP/1.1\r\nHost: x\r\n\r\n");
  }
  ASSERT_TRUE(came.wait(12));
  EXPECT_EQ(full, 2);
  clients.emplace_back(server->port()).send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(came.wait(13));
  EXPECT_EQ(full, 2);
}

TEST(ResponderTest, TellsAHandlerThatTheClientHasLeft) {
  Kept kept;
  const auto server = start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(kept.came.wait());
  const Responder to = kept.take().front();
  EXPECT_FALSE(to.is_gone());
  client.reset();
  while (!to.is_gone()) std::this_thread::yield();
  EXPECT_FALSE(to.send({.body = "nobody there"}));
}

TEST(ResponderTest, MayOutliveTheServer) {
  Kept kept;
  {
    const auto server =
        start_server([&](const Request&, Responder to) { kept.add(std::move(to)); });
    RawClient client(server->port());
    client.send(kGet);
    ASSERT_TRUE(kept.came.wait());
  }
  const Responder to = kept.take().front();
  EXPECT_TRUE(to.is_gone());
  EXPECT_FALSE(to.send({}));
  EXPECT_FALSE(to.park(seconds(1), [](ParkEnd) {}));
  EXPECT_TRUE(to.stream({}).is_closed());
}

}  // namespace
}  // namespace belfry::net
