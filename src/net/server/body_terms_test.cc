#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

// What is decided by a request's header, before its body is read.
namespace belfry::net {
namespace {

using std::chrono::milliseconds;
using test::RawClient;
using Decide = std::function<void(BodyTerms)>;

std::string post(std::size_t length, const std::string& who = "me") {
  return "POST / HTTP/1.1\r\nHost: x\r\nWho: " + who +
         "\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

// Each caller pays as the header `Who` says.
ServerOptions paying(ServerLimits limits) {
  return {.limits = limits, .on_head = [](const Request& head, const Decide& decide) {
            decide({.payer = std::string(head.headers.find("Who").value_or(""))});
          }};
}

TEST(BodyTermsTest, AnswersBeforeTheBodyIsSent) {
  const auto server =
      start_server(echo, {.on_head = [](const Request&, const Decide& decide) {
                     decide({.refusal = Response{.status = 401, .headers = {}, .body = "who?"}});
                   }});
  RawClient client(server->port());
  client.send(post(1'000'000));
  const auto response = client.read_response();
  EXPECT_EQ(response.status, 401);
  EXPECT_EQ(response.body, "who?");
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST(BodyTermsTest, ARequestWithoutABodyIsNotAskedAbout) {
  const auto server = start_server(echo, {.on_head = [](const Request&, const Decide& decide) {
                                     decide({.refusal = Response{.status = 401}});
                                   }});
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(BodyTermsTest, TheLimitIsTheOneOfTheTerms) {
  const auto server = start_server(
      echo, {.on_head = [](const Request&, const Decide& decide) { decide({.body_bytes = 10}); }});
  const std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& request :
       {post(11) + "01234567890", chunked + "b\r\n01234567890\r\n0\r\n\r\n"}) {
    RawClient client(server->port());
    client.send(request);
    const auto response = client.read_response();
    EXPECT_EQ(response.status, 413);
    EXPECT_NE(response.body.find("longer than 10 bytes"), std::string::npos) << response.body;
  }
  RawClient client(server->port());
  client.send(post(10) + "0123456789" + post(3) + "abc");
  EXPECT_EQ(client.read_response().body, "POST / 0123456789");
  EXPECT_EQ(client.read_response().body, "POST / abc");
}

TEST(BodyTermsTest, ABodyWaitsForADecisionThatTakesTime) {
  test::Event asked;
  Decide later;
  const auto server = start_server(echo, {.on_head = [&](const Request&, Decide decide) {
                                     later = std::move(decide);
                                     asked.happen();
                                   }});
  RawClient client(server->port());
  client.send(post(3) + "abc");
  client.finish_sending();
  ASSERT_TRUE(asked.wait());
  EXPECT_TRUE(client.is_waiting());
  later({});
  EXPECT_EQ(client.read_response().body, "POST / abc");
}

TEST(BodyTermsTest, ADecisionForAClientThatLeftGoesNowhere) {
  test::Event asked;
  Decide later;
  const auto server = start_server(echo, {.on_head = [&](const Request&, Decide decide) {
                                     later = std::move(decide);
                                     asked.happen();
                                   }});
  RawClient client(server->port());
  client.send(post(3));
  ASSERT_TRUE(asked.wait());
  client.reset();
  later({});
  RawClient other(server->port());
  other.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(other.read_response().status, 200);
}

TEST(BodyTermsTest, AShortTimeIsForTheBody) {
  const auto server = start_server(echo, {.on_head = [](const Request&, const Decide& decide) {
                                     decide({.body_time = milliseconds(100)});
                                   }});
  RawClient client(server->port());
  client.send(post(10) + "abc");
  EXPECT_EQ(client.read_response().status, 408);
}

TEST(BodyTermsTest, UnfinishedBodiesOfOneLeaveRoomForOthers) {
  const auto server = start_server(echo, paying({.all_bodies_bytes = 60'000}));
  std::vector<RawClient> greedy;
  for (int i = 0; i < 8; ++i) {
    greedy.emplace_back(server->port()).send(post(20'000, "greedy") + std::string(9'999, 'a'));
  }
  // The last ones are refused: then all are counted.
  ASSERT_EQ(greedy.back().read_response().status, 503);
  RawClient other(server->port());
  other.send(post(5'000, "other") + std::string(5'000, 'a'));
  EXPECT_EQ(other.read_response().status, 200);
}

TEST(BodyTermsTest, ARoomOfItsOwnIsNotFilledByOthers) {
  ServerOptions options{
      .limits = {.all_bodies_bytes = 100, .vital_bodies_bytes = 10'000},
      .on_head = [](const Request& head, const Decide& decide) {
        const bool vital = head.headers.find("Who") == "vital";
        decide({.room = vital ? BodyTerms::Room::kVital : BodyTerms::Room::kOrdinary});
      }};
  const auto server = start_server(echo, std::move(options));
  RawClient ordinary(server->port());
  ordinary.send(post(101) + std::string(101, 'a'));
  EXPECT_EQ(ordinary.read_response().status, 503);
  RawClient vital(server->port());
  vital.send(post(5'000, "vital") + std::string(5'000, 'a'));
  EXPECT_EQ(vital.read_response().status, 200);
}

}  // namespace
}  // namespace belfry::net
