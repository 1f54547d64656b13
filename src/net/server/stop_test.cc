#include "net/server/responder.h"
#include "net/server/server.h"
#include "net/server/test_server.h"
#include "net/server/work_pool.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Event;
using test::RawClient;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(StopTest, ClosesIdleConnectionsAndTheDoor) {
  const auto server = start_server(echo);
  const auto port = server->port();
  RawClient client(port);
  client.send(kGet);
  client.read_response();
  server->stop(hours(1));
  EXPECT_TRUE(client.is_closed_by_server());
  EXPECT_FALSE(RawClient(port).is_connected());
  server->stop(hours(1));
}

TEST(StopTest, LetsParkedRequestsAnswer) {
  Event came;
  const auto server = start_server([&](const Request&, const Responder& to) {
    to.park(hours(1), [to](ParkEnd why) {
      EXPECT_EQ(why, ParkEnd::kStopping);
      to.send({.body = "come back later"});
    });
    came.happen();
  });
  std::vector<RawClient> clients;
  for (int i = 0; i < 50; ++i) clients.emplace_back(server->port()).send(kGet);
  ASSERT_TRUE(came.wait(50));
  server->stop(hours(1));
  for (auto& client : clients) {
    const auto response = client.read_response();
    EXPECT_EQ(response.body, "come back later");
    EXPECT_NE(response.header.find("Connection: close"), std::string::npos);
    EXPECT_TRUE(client.is_closed_by_server());
  }
}

TEST(StopTest, EndsStreams) {
  Event came;
  Event closed;
  std::vector<Stream> streams;
  const auto server = start_server([&](const Request&, const Responder& to) {
    streams.push_back(to.stream({}));
    streams.back().on_closed([&] { closed.happen(); });
    streams.back().write("last words");
    came.happen();
  });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(came.wait());
  server->stop(hours(1));
  EXPECT_EQ(closed.times(), 1);
  client.read_response();
  EXPECT_EQ(client.read_all(), "a\r\nlast words\r\n0\r\n\r\n");
}

TEST(StopTest, FinishesWhatIsInFlight) {
  Event begun;
  Event go;
  WorkPool pool(1, 1);
  const auto server = start_server([&](const Request&, const Responder& to) {
    pool.try_submit([&, to] {
      begun.happen();
      go.wait();
      to.send({.body = "done"});
    });
  });
  RawClient client(server->port());
  client.send(kGet);
  ASSERT_TRUE(begun.wait());
  std::thread stopper([&] { server->stop(hours(1)); });
  while (RawClient(server->port()).is_connected()) std::this_thread::yield();  // it has begun
  go.happen();
  stopper.join();
  EXPECT_EQ(client.read_response().body, "done");
  pool.stop();
}

TEST(StopTest, DoesNotWaitForEver) {
  Event came;
  std::atomic<int> ends = 0;
  std::atomic<bool> gone = false;
  std::vector<Responder> kept;
  const auto server = start_server([&](const Request& request, const Responder& to) {
    if (request.path == "/park") {
      to.park(hours(1), [&, to](ParkEnd why) {
        ++ends;
        if (why == ParkEnd::kStopping)
          to.park(hours(1), [&](ParkEnd end) { gone = end == ParkEnd::kGone; });
      });
    }
    kept.push_back(to);
    came.happen();
  });
  RawClient unanswered(server->port());
  unanswered.send(kGet);
  RawClient stubborn(server->port());
  stubborn.send("GET /park HTTP/1.1\r\nHost: x\r\n\r\n");
  RawClient half(server->port());
  half.send("GET /half");
  ASSERT_TRUE(came.wait(2));
  server->stop(milliseconds(50));
  EXPECT_TRUE(unanswered.is_closed_by_server());
  EXPECT_TRUE(stubborn.is_closed_by_server());
  EXPECT_TRUE(half.is_closed_by_server());
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(gone);
  EXPECT_FALSE(kept.front().send({}));
}

TEST(StopTest, DropsPostedWorkThatIsNotDue) {
  std::atomic<bool> ran = false;
  auto server = start_server(echo);
  server->post_after(hours(1), [&] { ran = true; });
  server->stop(seconds(0));
  server->post([&] { ran = true; });
  server.reset();
  EXPECT_FALSE(ran);
}

TEST(StopTest, SurvivesClientsThatComeAndGoMeanwhile) {
  for (int round = 0; round < 5; ++round) {
    const auto server = start_server(echo);
    const auto port = server->port();
    std::atomic<bool> over = false;
    std::vector<std::thread> clients;
    Event served;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back([&] {
        while (!over) {
          RawClient client(port);
          if (!client.is_connected()) continue;
          client.send(kGet);
          if (client.read_response().status == 200) served.happen();
        }
      });
    }
    EXPECT_TRUE(served.wait(20));
    server->stop(seconds(10));
    over = true;
    for (std::thread& client : clients) client.join();
  }
}

}  // namespace
}  // namespace belfry::net
