#include "net/server/server.h"

#include "net/server/request_reader.h"
#include "net/server/test_server.h"
#include "net/server/work_pool.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using test::Event;
using test::RawClient;

TEST(ServerTest, AnswersAndKeepsTheConnection) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  for (int i = 0; i < 3; ++i) {
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto response = client.read_response();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "GET /a ");
    EXPECT_NE(response.header.find("\r\nDate: "), std::string::npos);
  }
  EXPECT_EQ(server->stats().requests, 3U);
  EXPECT_EQ(server->stats().connections, 1U);
}

TEST(ServerTest, EveryAnswerIsCautious) {
  const auto server = start_server([](const Request& request, const Responder& responder) {
    if (request.path == "/stream") {
      responder.stream({}).close();
    } else if (request.path == "/kept") {
      responder.send({.headers = {{"Cache-Control", "max-age=60"}}});
    } else {
      responder.send({.status = 404});
    }
  });
  for (const char* ask : {"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n",
                          "GET /no HTTP/1.1\r\nHost: x\r\n\r\n", "nonsense\r\n\r\n"}) {
    RawClient client(server->port());
    client.send(ask);
    const std::string header = client.read_response().header;
    for (const char* expected :
         {"\r\nX-Content-Type-Options: nosniff\r\n", "frame-ancestors 'none'",
          "\r\nReferrer-Policy: no-referrer\r\n", "\r\nCache-Control: no-store\r\n"}) {
      EXPECT_NE(header.find(expected), std::string::npos) << ask << header;
    }
  }
  RawClient client(server->port());
  client.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string header = client.read_response().header;
  EXPECT_NE(header.find("max-age=60"), std::string::npos);
  EXPECT_EQ(header.find("no-store"), std::string::npos) << header;
}

TEST(ServerTest, ShowsTheWholeRequest) {
  Request seen;
  const auto server = start_server([&](Request request, const Responder& responder) {
    seen = std::move(request);
    responder.send({.status = 204});
  });
  RawClient client(server->port());
  client.send(
      "POST /v1/jobs/a%2Fb?x=1+2&y HTTP/1.1\r\nHost: x\r\nX-Own:  two words \r\n"
      "Content-Length: 4\r\n\r\nbody");
  const auto response = client.read_response();
  EXPECT_EQ(response.status, 204);
  EXPECT_EQ(response.header.find("Content-Length"), std::string::npos);
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/v1/jobs/a%2Fb");
  EXPECT_EQ(seen.segments, (std::vector<std::string>{"v1", "jobs", "a/b"}));
  EXPECT_EQ(seen.parameter("x"), "1 2");
  EXPECT_EQ(seen.parameter("y"), "");
  EXPECT_EQ(seen.headers.find("x-own"), "two words");
  EXPECT_EQ(seen.body, "body");
  EXPECT_EQ(seen.remote.rfind("127.0.0.1:", 0), 0U);
  EXPECT_FALSE(seen.secure);
}

TEST(ServerTest, TakesTheWholeUrlOfAProxy) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  client.send("GET http://x/p?q=1 HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_response().body, "GET /p ");
}

TEST(ServerTest, TheHostOfAWholeUrlCounts) {
  const auto server = start_server([](const Request& request, const Responder& responder) {
    responder.send({.body = std::string(request.headers.find("Host").value_or("none"))});
  });
  RawClient client(server->port());
  client.send("GET http://other.example:81/p HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  EXPECT_EQ(client.read_response().body, "other.example:81");
}

TEST(ServerTest, ClosesWhenAsked) {
  const auto server = start_server(echo);
  for (const char* request :
       {"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"}) {
    RawClient client(server->port());
    client.send(request);
    const auto response = client.read_response();
    EXPECT_EQ(response.status, 200);
    EXPECT_NE(response.header.find("Connection: close"), std::string::npos);
    EXPECT_TRUE(client.is_closed_by_server());
  }
}

TEST(ServerTest, AnswersPipelinedRequestsInOrder) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  std::string requests;
  for (int i = 0; i < 2000; ++i) {
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  const std::jthread sender([&] { client.send(requests); });
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(client.read_response().body, "GET /" + std::to_string(i) + " ");
  }
}

TEST(ServerTest, KeepsTheOrderOfPipelinedAnswersThatComeLate) {
  WorkPool pool(4, 100);
  const auto server = start_server([&](const Request& request, const Responder& responder) {
    pool.try_submit([=] { responder.send({.body = request.path}); });
  });
  RawClient client(server->port());
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n";
  }
  client.send(requests);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(client.read_response().body, "/" + std::to_string(i));
  pool.stop();
}

TEST(ServerTest, AnswersAClientThatHasFinishedSending) {
  WorkPool pool(1, 10);
  const auto server = start_server([&](const Request& request, const Responder& responder) {
    pool.try_submit([=] { responder.send({.body = request.path}); });
  });
  RawClient client(server->port());
  client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  client.finish_sending();
  EXPECT_EQ(client.read_response().body, "/1");
  EXPECT_EQ(client.read_response().body, "/2");
  EXPECT_TRUE(client.is_closed_by_server());
  pool.stop();
}

TEST(ServerTest, SendsNoBodyToHead) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  client.send("HEAD /long HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto head = client.read_response(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_NE(head.header.find("Content-Length: 11\r\n"), std::string::npos);
  EXPECT_EQ(client.read_response().body, "GET /b ");
}

TEST(ServerTest, TellsAWaitingClientToContinue) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ab");
  EXPECT_EQ(client.read_response().body, "POST / ab");
}

TEST(ServerTest, RefusesALongBodyBeforeItIsSent) {
  const auto server = start_server(echo, {.limits = {.body_bytes = 10}});
  RawClient client(server->port());
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_response().status, 413);
}

TEST(ServerTest, PutsChunksTogether) {
  const auto server = start_server(echo);
  RawClient client(server->port());
  const std::string request =
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3;name=value\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    client.send(request);
    EXPECT_EQ(client.read_response().body, "POST / abcde");
  }
  for (const char byte : request) client.send(std::string_view(&byte, 1));
  EXPECT_EQ(client.read_response().body, "POST / abcde");
}

// One that came as "0 CR LF" and then a single byte aborted the node.
TEST(ServerTest, ChunksMayComeByteByByte) {
  for (const std::string body :
       {"0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "1;x=y\r\na\r\n0\r\nT: 1\r\n\r\n"}) {
    const std::string text =
        "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
    RequestReader reader({.header_bytes = 1'000, .body_bytes = 1'000});
    std::string input;
    for (const char byte : text) {
      input += byte;
      input.erase(0, reader.feed(input));
      if (reader.state() == RequestReader::State::kHead) reader.take_body(1'000);
    }
    EXPECT_EQ(reader.state(), RequestReader::State::kComplete) << body;
  }
}

TEST(ServerTest, TakesALargeBodyAndGivesItBack) {
  const auto server = start_server([](Request request, const Responder& responder) {
    responder.send({.body = std::move(request.body)});
  });
  const std::string body(8 * 1024 * 1024, 'x');
  RawClient client(server->port());
  std::thread sender([&] {
    client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\n\r\n" + body);
  });
  EXPECT_EQ(client.read_response().body, body);
  sender.join();
}

TEST(ServerTest, AnswersInItsHooksWords) {
  ServerOptions options;
  options.render_error = [](int status, std::string_view detail) {
    return Response{.status = status, .body = "sorry: " + std::string(detail)};
  };
  const auto server = start_server([](const Request&, const Responder&) {}, std::move(options));
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto response = client.read_response();
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "sorry: the request was left without an answer");
}

TEST(ServerTest, DoesNotLetAUsersTextBecomeAHeader) {
  const auto server = start_server([](const Request&, const Responder& responder) {
    responder.send({.headers = {{"Location", "/x\r\nSet-Cookie: evil=1"}}});
  });
  RawClient client(server->port());
  client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto response = client.read_response();
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.header.find("evil"), std::string::npos);
}

TEST(ServerTest, ServesManyConnections) {
  const auto server = start_server(echo);
  std::vector<RawClient> clients;
  for (int i = 0; i < 500; ++i) clients.emplace_back(server->port());
  for (int round = 0; round < 3; ++round) {
    for (auto& client : clients) client.send("GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
    for (auto& client : clients) ASSERT_EQ(client.read_response().status, 200);
  }
  EXPECT_EQ(server->stats().connections, 500U);
}

TEST(ServerTest, RunsPostedWorkOnItsThread) {
  Event ran;
  std::atomic<std::thread::id> now;
  std::atomic<std::thread::id> later;
  const auto server = start_server(echo);
  server->post([&] {
    now = std::this_thread::get_id();
    ran.happen();
  });
  server->post_after(std::chrono::milliseconds(1), [&] {
    later = std::this_thread::get_id();
    ran.happen();
  });
  ASSERT_TRUE(ran.wait(2));
  EXPECT_EQ(now.load(), later.load());
  EXPECT_NE(now.load(), std::this_thread::get_id());
}

TEST(ServerTest, SaysWhyItCannotListen) {
  const auto server = start_server(echo);
  const auto second =
      HttpServer::start({.listen = "127.0.0.1:" + std::to_string(server->port())}, echo);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::kUnavailable);
  EXPECT_FALSE(HttpServer::start({.listen = "nonsense"}, echo));
}

}  // namespace
}  // namespace belfry::net
