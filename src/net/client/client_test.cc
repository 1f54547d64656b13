#include "net/client/client.h"

#include "net/client/response_reader.h"
#include "net/server/server.h"
#include "net/server/test_server.h"
#include "net/url.h"
#include "tests/support/event.h"
#include "tests/support/fake_server.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using std::chrono::milliseconds;
using test::Event;
using test::FakeServer;
using test::kPatience;

// Short, for an answer that never comes, yet long enough to send a request on a busy machine:
// failing to send would be another error.
constexpr milliseconds kBrief(1'000);

Url url_of(std::uint16_t port, const std::string& path = "/") {
  return *Url::parse("http://127.0.0.1:" + std::to_string(port) + path);
}

// One that came as "0 CR LF" and then a single byte aborted the client.
TEST(ClientTest, ChunksMayComeByteByByte) {
  for (const std::string body : {"0\r\n\r\n", "3\r\nabc\r\n0\r\nT: 1\r\n\r\n"}) {
    ResponseReader reader(false, 1'000);
    std::string input;
    for (const char byte : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body) {
      input += byte;
      input.erase(0, reader.feed(input));
    }
    EXPECT_EQ(reader.state(), ResponseReader::State::kComplete) << body;
  }
}

TEST(ClientTest, AsksAndKeepsTheConnection) {
  const auto server = start_server(echo);
  HttpClient client;
  for (int i = 0; i < 3; ++i) {
    const auto response = client.request(
        {.method = "POST", .url = url_of(server->port(), "/x"), .body = "hi"}, kPatience);
    ASSERT_TRUE(response) << to_string(response.error());
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "POST /x hi");
    EXPECT_EQ(response->headers.find("content-type"), "text/plain");
  }
  EXPECT_EQ(server->stats().connections, 1U);
}

TEST(ClientTest, SendsHeadersAndQuery) {
  Request seen;
  const auto server = start_server([&](Request request, const Responder& to) {
    seen = std::move(request);
    to.send({.status = 404, .body = "no"});
  });
  HttpClient client;
  const auto response = client.request(
      {.url = url_of(server->port(), "/a%20b?c=d"), .headers = {{"Authorization", "Bearer t"}}},
      kPatience);
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 404);
  EXPECT_EQ(response->body, "no");
  EXPECT_EQ(seen.segments, std::vector<std::string>{"a b"});
  EXPECT_EQ(seen.parameter("c"), "d");
  EXPECT_EQ(seen.headers.find("Authorization"), "Bearer t");
  EXPECT_EQ(seen.headers.find("Host"), "127.0.0.1:" + std::to_string(server->port()));
}

TEST(ClientTest, ReadsEveryKindOfBody) {
  const FakeServer server({
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde",
      "HTTP/1.1 200 OK\r\n\r\nabcde",
      "HTTP/1.0 200 OK\r\n\r\nabcde",
  });
  for (int i = 0; i < 4; ++i) {
    HttpClient client;
    const auto response = client.request({.url = url_of(server.port())}, kPatience);
    ASSERT_TRUE(response) << to_string(response.error());
    EXPECT_EQ(response->body, "abcde");
  }
}

TEST(ClientTest, ReadsNoBodyAfterHead) {
  const auto server = start_server(echo);
  HttpClient client;
  const Call head{.method = "HEAD", .url = url_of(server->port())};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(client.request(head, kPatience)->body, "");
  EXPECT_EQ(server->stats().connections, 1U);
}

TEST(ClientTest, SaysThatNobodyListens) {
  std::uint16_t port = 0;
  {
    const auto server = start_server(echo);
    port = server->port();
  }
  HttpClient client;
  const auto response = client.request({.url = url_of(port)}, kPatience);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnavailable);
}

TEST(ClientTest, SaysThatTheHostIsUnknown) {
  HttpClient client;
  const auto response = client.request({.url = *Url::parse("http://host.invalid/")}, kPatience);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnavailable);
}

TEST(ClientTest, GivesUpInTime) {
  std::vector<Responder> kept;
  const auto server =
      start_server([&](const Request&, Responder to) { kept.push_back(std::move(to)); });
  HttpClient client;
  const auto response = client.request({.url = url_of(server->port())}, kBrief);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnknownOutcome);
  server->stop({});
}

TEST(ClientTest, TellsABadAnswerFromALostOne) {
  const FakeServer server({
      "SSH-2.0-OpenSSH_9.2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc",
      "",
      "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n" + std::string(99, 'x'),
  });
  const Errc expected[] = {Errc::kInternal, Errc::kUnknownOutcome, Errc::kUnknownOutcome,
                           Errc::kInternal};
  for (const Errc code : expected) {
    HttpClient client({.body_bytes = 50});
    const auto response =
        client.request({.method = "POST", .url = url_of(server.port())}, kPatience);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, code) << to_string(response.error());
  }
}

TEST(ClientTest, RepeatsOnANewConnectionWhatAClosedOneNeverSaw) {
  // Each answer promises to keep the connection, and then the server closes it.
  const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
  const FakeServer server({answer, answer, answer});
  HttpClient client;
  for (int i = 0; i < 3; ++i) {
    const auto response = client.request({.url = url_of(server.port())}, kPatience);
    ASSERT_TRUE(response) << to_string(response.error());
    EXPECT_EQ(response->body, "a");
  }
}

TEST(ClientTest, RefusesToSmuggleHeaders) {
  const auto server = start_server(echo);
  HttpClient client;
  const Call bad[] = {
      {.url = url_of(server->port()), .headers = {{"A", "b\r\nC: d"}}},
      {.url = url_of(server->port()), .headers = {{"A b", "c"}}},
      {.method = "GET / HTTP/1.1\r\n", .url = url_of(server->port())},
  };
  for (const Call& call : bad) {
    EXPECT_EQ(client.request(call, kPatience).error().code, Errc::kInvalid);
  }
  EXPECT_EQ(server->stats().requests, 0U);
}

TEST(ClientTest, HearsARefusalOfALongBody) {
  const auto server = start_server(echo, {.limits = {.body_bytes = 1000}});
  HttpClient client;
  const auto response = client.request(
      {.method = "POST", .url = url_of(server->port()), .body = std::string(5'000'000, 'x')},
      kPatience);
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_EQ(response->status, 413);
}

TEST(ClientTest, ReadsAStreamLineByLine) {
  const auto server = start_server([](const Request&, const Responder& to) {
    const Stream stream = to.stream({});
    stream.write("id: 1\r\nda");
    stream.write("ta: a\n\ndata: b\n");
    stream.close();
  });
  std::vector<std::string> lines;
  HttpClient client;
  const auto response =
      client.stream({.url = url_of(server->port())}, kPatience, [&](std::string_view line) {
        lines.emplace_back(line);
        return true;
      });
  ASSERT_TRUE(response) << to_string(response.error());
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(lines, (std::vector<std::string>{"id: 1", "data: a", "", "data: b"}));
}

TEST(ClientTest, StopsReadingAStreamWhenTold) {
  Event closed;
  std::vector<Stream> streams;
  const auto server = start_server([&](const Request&, const Responder& to) {
    streams.push_back(to.stream({}));
    streams.back().on_closed([&] { closed.happen(); });
    streams.back().write("one\ntwo\n");
  });
  int lines = 0;
  HttpClient client;
  EXPECT_TRUE(client.stream({.url = url_of(server->port())}, kPatience,
                            [&](std::string_view) { return ++lines < 1; }));
  EXPECT_EQ(lines, 1);
  EXPECT_TRUE(closed.wait());
  server->stop({});
}

TEST(ClientTest, ReadsARefusedStreamWhole) {
  const auto server = start_server([](const Request&, const Responder& to) {
    to.send({.status = 401, .body = "who are\nyou?"});
  });
  HttpClient client;
  const auto response = client.stream({.url = url_of(server->port())}, kPatience,
                                      [](std::string_view) { return ADD_FAILURE(), true; });
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 401);
  EXPECT_EQ(response->body, "who are\nyou?");
}

TEST(ClientTest, NoticesASilentStream) {
  std::vector<Stream> streams;
  const auto server =
      start_server([&](const Request&, const Responder& to) { streams.push_back(to.stream({})); });
  HttpClient client;
  const auto response =
      client.stream({.url = url_of(server->port())}, kBrief, [](std::string_view) { return true; });
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnknownOutcome);
  server->stop({});
}

TEST(ClientTest, IsInterruptedFromAnotherThread) {
  Event came;
  std::vector<Responder> kept;
  const auto server = start_server([&](const Request&, Responder to) {
    kept.push_back(std::move(to));
    came.happen();
  });
  HttpClient client;
  std::thread stopper([&] {
    EXPECT_TRUE(came.wait());
    client.interrupt();
  });
  const auto response = client.request({.url = url_of(server->port())}, std::chrono::hours(1));
  stopper.join();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, Errc::kUnknownOutcome);
  EXPECT_EQ(client.request({.url = url_of(server->port())}, kPatience).error().code,
            Errc::kUnavailable);
  EXPECT_EQ(server->stats().requests, 1U);
  server->stop({});
}

}  // namespace
}  // namespace belfry::net
