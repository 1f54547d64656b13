#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

// Each limit of ServerLimits, and that the server keeps serving beyond it.
namespace belfry::net {
namespace {

using std::chrono::milliseconds;
using test::RawClient;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// Short, yet long enough for a client on a busy machine to send something.
constexpr milliseconds kBrief(1'000);

void expect_alive(const HttpServer& server) {
  RawClient client(server.port());
  client.send(kGet);
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(LimitsTest, RefusesALongHeader) {
  const auto server = start_server(echo, {.limits = {.header_bytes = 1024}});
  const std::string filler(2000, 'a');
  for (const std::string& request : {"GET /" + filler + " HTTP/1.1\r\nHost: x\r\n\r\n",
                                     "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + filler + "\r\n\r\n",
                                     "GET / HTTP/1.1\r\nHost: x\r\nX-Endless: " + filler}) {
    RawClient client(server->port());
    client.send(request);
    EXPECT_EQ(client.read_response().status, 431);
    EXPECT_TRUE(client.is_closed_by_server());
  }
  std::string many = "GET / HTTP/1.1\r\nHost: x\r\n";
  for (int i = 0; i < 100; ++i) many += "X-Many: aaaaaaaaaa\r\n";
  RawClient client(server->port());
  client.send(many + "\r\n");
  EXPECT_EQ(client.read_response().status, 431);
  expect_alive(*server);
}

TEST(LimitsTest, RefusesManyShortLinesThatComeOneByOne) {
  const auto server = start_server(echo, {.limits = {.header_bytes = 1024}});
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n");
  for (int i = 0; i < 1000 && client.send("X-Many: aaaaaaaaaa\r\n"); ++i) {
  }
  EXPECT_EQ(client.read_response().status, 431);
}

TEST(LimitsTest, RefusesALongBody) {
  const auto server = start_server(echo, {.limits = {.body_bytes = 1000}});
  const std::string body(1001, 'a');
  for (const std::string& request :
       {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n" + body,
        std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"),
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + body,
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1f4\r\n" +
            body.substr(0, 500) + "\r\n1f5\r\n" + body.substr(0, 501)}) {
    RawClient client(server->port());
    client.send(request);
    EXPECT_EQ(client.read_response().status, 413) << request.substr(0, 60);
    EXPECT_TRUE(client.is_closed_by_server());
  }
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + body.substr(1));
  EXPECT_EQ(client.read_response().status, 200);
}

TEST(LimitsTest, TellsAClientThatIsStillSendingAVeryLongBody) {
  const auto server = start_server(echo, {.limits = {.body_bytes = 1000}});
  RawClient client(server->port());
  std::thread sender([&] {
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");
    const std::string piece(100'000, 'a');
    for (int i = 0; i < 100 && client.send(piece); ++i) {
    }
    client.finish_sending();
  });
  EXPECT_EQ(client.read_response().status, 413);
  sender.join();
}

TEST(LimitsTest, RefusesAnEndlessChunkHeader) {
  const auto server = start_server(echo, {.limits = {.header_bytes = 1024}});
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
              std::string(3000, 'a'));
  EXPECT_EQ(client.read_response().status / 100, 4);
  expect_alive(*server);
}

TEST(LimitsTest, RefusesWhenAllBodiesTogetherAreTooLong) {
  const auto server = start_server(echo, {.limits = {.all_bodies_bytes = 10'000}});
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10001\r\n\r\n";
  RawClient client(server->port());
  client.send(head + std::string(10'001, 'a'));
  EXPECT_EQ(client.read_response().status, 503);
}

TEST(LimitsTest, ForgetsTheBodiesOfRequestsThatAreOver) {
  const auto server = start_server(echo, {.limits = {.all_bodies_bytes = 10'000}});
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7000\r\n\r\n";
  for (int i = 0; i < 5; ++i) {
    RawClient client(server->port());
    client.send(head + std::string(7000, 'a'));
    EXPECT_EQ(client.read_response().status, 200);
    client.send(head + std::string(6999, 'a'));
    client.finish_sending();  // in the middle
    EXPECT_TRUE(client.is_closed_by_server());
  }
}

TEST(LimitsTest, GivesUpOnARequestThatTrickles) {
  const auto server = start_server(echo, {.limits = {.header_time = kBrief, .read_time = kBrief}});
  std::vector<RawClient> clients;
  for (const char* begin : {"GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: a",
                            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc"}) {
    clients.emplace_back(server->port()).send(begin);
  }
  for (RawClient& client : clients) {
    EXPECT_EQ(client.read_response().status, 408);
    EXPECT_TRUE(client.is_closed_by_server());
  }
  expect_alive(*server);
}

TEST(LimitsTest, IsNotFooledByAByteNowAndThen) {
  const auto server = start_server(echo, {.limits = {.header_time = kBrief}});
  test::Event over;
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
  std::thread trickle([&] {
    while (client.send("a") && over.times() == 0) std::this_thread::yield();
  });
  // Either answer is a refusal: it depends on how many bytes fit in the time.
  const int status = client.read_response().status;
  EXPECT_TRUE(status == 408 || status == 431) << status;
  over.happen();
  trickle.join();
}

TEST(LimitsTest, ClosesIdleConnectionsWithoutAWord) {
  const auto server = start_server(echo, {.limits = {.read_time = kBrief, .idle_time = kBrief}});
  RawClient silent(server->port());
  EXPECT_EQ(silent.read_all(), "");
  RawClient client(server->port());
  client.send(kGet);
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(client.read_all(), "");
}

TEST(LimitsTest, DropsAClientThatDoesNotTakeItsAnswer) {
  test::Event gone;
  std::function<void()> look;
  const auto server = start_server(
      [](const Request&, const Responder& to) { to.send({.body = std::string(20'000'000, 'a')}); },
      {.limits = {.write_time = milliseconds(100)}});
  RawClient client(server->port(), 4096);
  client.send(kGet);
  look = [&] {
    if (server->stats().connections == 0) return gone.happen();
    server->post_after(milliseconds(10), look);
  };
  server->post(look);
  EXPECT_TRUE(gone.wait());
}

TEST(LimitsTest, AnswersConnectionsBeyondTheLimitWith503) {
  const auto server = start_server(echo, {.limits = {.connections = 2}});
  RawClient first(server->port());
  RawClient second(server->port());
  for (RawClient* client : {&first, &second}) {
    client->send(kGet);
    EXPECT_EQ(client->read_response().status, 200);
  }
  RawClient third(server->port());
  third.send(kGet);
  EXPECT_EQ(third.read_response().status, 503);
  EXPECT_TRUE(third.is_closed_by_server());
  EXPECT_EQ(server->stats().refused, 1U);
  first.send(kGet);
  EXPECT_EQ(first.read_response().status, 200);
}

TEST(LimitsTest, OneAddressLeavesConnectionsForOthers) {
  const auto server = start_server(echo, {.limits = {.connections = 12}});
  std::vector<RawClient> held;
  int status = 200;
  while (status == 200 && held.size() < 20) {
    held.emplace_back(server->port()).send(kGet);
    status = held.back().read_response().status;
  }
  EXPECT_EQ(status, 503);
  EXPECT_EQ(held.size(), 11U);
  RawClient other(server->port(), 0, 2);
  other.send(kGet);
  EXPECT_EQ(other.read_response().status, 200);
}

TEST(LimitsTest, ClosesConnectionsFarBeyondTheLimitAtOnce) {
  const auto server = start_server(echo, {.limits = {.connections = 1}});
  RawClient first(server->port());
  first.send(kGet);
  EXPECT_EQ(first.read_response().status, 200);
  std::vector<RawClient> silent;
  for (int i = 0; i < 64; ++i) silent.emplace_back(server->port());
  RawClient last(server->port());
  EXPECT_TRUE(last.is_closed_by_server());
  first.send(kGet);
  EXPECT_EQ(first.read_response().status, 200);
}

}  // namespace
}  // namespace belfry::net
