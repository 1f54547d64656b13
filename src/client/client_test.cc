#include "client/client.h"

#include "client/pages.h"
#include "net/server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace belfry::client {
namespace {

using Answering = std::function<net::Response(const net::Request&)>;

net::Response json(int status, const std::string& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = body};
}

// A server that says what a test tells it to, and a client of it.
struct Pair {
  std::unique_ptr<net::HttpServer> server;
  std::optional<Client> client;

  explicit Pair(Answering answer, ClientOptions options = {}) {
    auto started =
        net::HttpServer::start({}, [answer](const net::Request& request, const net::Responder& to) {
          to.send(answer(request));
        });
    EXPECT_TRUE(started);
    server = std::move(*started);
    options.server = "http://127.0.0.1:" + std::to_string(server->port());
    auto made = Client::make(options);
    EXPECT_TRUE(made);
    client.emplace(*std::move(made));
  }
};

TEST(ClientTest, SendsWhoItIs) {
  std::string seen;
  Pair pair(
      [&](const net::Request& request) {
        seen = std::string(request.headers.find("Authorization").value_or("")) + " " +
               std::string(request.headers.find("Belfry-Tenant").value_or("")) + " " + request.path;
        return json(200, "{\"a\":1}");
      },
      {.token = "bf_x", .tenant = "acme"});
  const auto answer = pair.client->get(job_path("nightly report"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->at("a"), 1);
  EXPECT_EQ(seen, "Bearer bf_x acme /api/v1/jobs/name:nightly%20report");
}

TEST(ClientTest, PathsTellIdsFromNames) {
  EXPECT_EQ(job_path("0000000000012a3b"), "/api/v1/jobs/0000000000012a3b");
  EXPECT_EQ(job_path("name:0000000000012a3b"), "/api/v1/jobs/name:0000000000012a3b");
  EXPECT_EQ(job_path("a/b", "/next"), "/api/v1/jobs/name:a%2Fb/next");
}

TEST(ClientTest, ProblemsBecomeKinds) {
  const auto kind_for = [](int status) {
    return problem_of(json(status, R"({"code":"x","detail":"d","instance":"r-1","type":"t"})"))
        .kind;
  };
  EXPECT_EQ(kind_for(422), Problem::Kind::kInvalid);
  EXPECT_EQ(kind_for(404), Problem::Kind::kNotFound);
  EXPECT_EQ(kind_for(409), Problem::Kind::kConflict);
  EXPECT_EQ(kind_for(412), Problem::Kind::kConflict);
  EXPECT_EQ(kind_for(401), Problem::Kind::kRefused);
  EXPECT_EQ(kind_for(403), Problem::Kind::kRefused);
  EXPECT_EQ(kind_for(503), Problem::Kind::kUnreachable);
  EXPECT_EQ(kind_for(504), Problem::Kind::kTimedOut);
  EXPECT_EQ(problem_of({.status = 502, .body = "<html>"}).kind, Problem::Kind::kUnreachable);
}

TEST(ClientTest, AProblemNamesEachField) {
  const Problem one = problem_of(json(
      422,
      R"({"code":"invalid","detail":"d","errors":[{"pointer":"/cron_expression","code":"invalid","message":"no","hint":"yes?"}]})"));
  EXPECT_EQ(one.what, "cron_expression: no; yes?");
  const Problem two = problem_of(json(
      422,
      R"({"code":"invalid","detail":"2 fields are wrong","errors":[{"pointer":"/a","message":"x"},{"pointer":"/b","message":"y"}]})"));
  EXPECT_EQ(two.what, "2 fields are wrong");
  EXPECT_EQ(two.details, (std::vector<std::string>{"a: x", "b: y"}));
}

TEST(ClientTest, ABusyServerIsAskedAgainWithTheSameKey) {
  std::vector<std::string> keys;
  Pair pair([&](const net::Request& request) {
    keys.emplace_back(request.headers.find("Idempotency-Key").value_or("none"));
    if (keys.size() > 1) return json(201, "{}");
    net::Response busy = json(503, R"({"code":"busy","detail":"d"})");
    busy.headers.set("Retry-After", "0");
    return busy;
  });
  EXPECT_TRUE(pair.client->post_keyed("/api/v1/jobs"));
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(keys[0], keys[1]);
  EXPECT_TRUE(keys[0].starts_with("cli-"));
}

TEST(ClientTest, ImpatienceTakesNoForAnAnswer) {
  std::atomic<int> calls = 0;
  Pair pair(
      [&](const net::Request&) {
        ++calls;
        return json(503, R"({"code":"busy","detail":"d"})");
      },
      {.patience = Duration::zero()});
  const auto answer = pair.client->get("/readyz");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Problem::Kind::kUnreachable);
  EXPECT_EQ(calls, 1);
}

TEST(ClientTest, NobodyThereIsUnreachable) {
  auto client = Client::make({.server = "http://127.0.0.1:1"});
  ASSERT_TRUE(client);
  const auto answer = client->get("/healthz");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Problem::Kind::kUnreachable);
  EXPECT_NE(answer.error().fix.find("belfry serve"), std::string::npos);
  const auto bad = Client::make({.server = "gopher://x"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().kind, Problem::Kind::kInvalid);
}

TEST(PagesTest, ReadsPageAfterPageAlsoPastAnEmptyOne) {
  Pair pair([](const net::Request& request) {
    const std::string cursor(request.parameter("cursor").value_or(""));
    if (cursor.empty()) return json(200, R"({"items":[1,2],"next_cursor":"b"})");
    if (cursor == "b") return json(200, R"({"items":[],"next_cursor":"c"})");
    return json(200, R"({"items":[3],"next_cursor":null})");
  });
  Pages pages(*pair.client, "/api/v1/jobs", {});
  std::vector<int> seen;
  while (true) {
    const auto item = pages.next();
    ASSERT_TRUE(item);
    if (!*item) break;
    seen.push_back((*item)->get<int>());
  }
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 3}));
}

TEST(ClientTest, StreamsLineByLineAndTellsWhereItWas) {
  Pair pair([](const net::Request& request) {
    return net::Response{
        .headers = {{"Content-Type", "text/event-stream"}},
        .body = "data: " + std::string(request.headers.find("Last-Event-ID").value_or("none")) +
                "\n\n"};
  });
  std::string lines;
  const auto done = pair.client->stream("/api/v1/events", "7-1", std::chrono::seconds(60),
                                        [&](std::string_view line) {
                                          lines += std::string(line) + "|";
                                          return true;
                                        });
  EXPECT_TRUE(done);
  EXPECT_EQ(lines.substr(0, 10), "data: 7-1|");
}

}  // namespace
}  // namespace belfry::client
