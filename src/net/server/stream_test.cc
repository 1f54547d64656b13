#include "base/mutex.h"
#include "net/server/responder.h"
#include "net/server/server.h"
#include "net/server/test_server.h"
#include "tests/support/event.h"
#include "tests/support/raw_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace belfry::net {
namespace {

using test::Event;
using test::RawClient;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const Response kHead{.headers = {{"Content-Type", "text/event-stream"}}};

// A server that turns every request into a stream and keeps the newest.
class StreamTest : public ::testing::Test {
 protected:
  void start(ServerLimits limits = {}) {
    server_ = start_server(
        [this](const Request&, const Responder& to) {
          Stream stream = to.stream(kHead);
          stream.on_closed([this] { closed_.happen(); });
          {
            const MutexLock lock(mutex_);
            stream_ = std::move(stream);
          }
          opened_.happen();
        },
        {.limits = limits});
  }

  Stream wait_for_stream(int count = 1) {
    EXPECT_TRUE(opened_.wait(count));
    const MutexLock lock(mutex_);
    return *std::exchange(stream_, std::nullopt);
  }

  Event opened_;
  Event closed_;
  Mutex mutex_;
  std::optional<Stream> stream_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(StreamTest, SendsWhatIsWritten) {
  start();
  RawClient client(server_->port());
  client.send(kGet);
  const auto head = client.read_response();
  EXPECT_NE(head.header.find("text/event-stream"), std::string::npos);
  EXPECT_NE(head.header.find("Transfer-Encoding: chunked"), std::string::npos);
  const Stream stream = wait_for_stream();
  EXPECT_TRUE(stream.write("data: 1\n\n"));
  EXPECT_EQ(client.read_until("data: 1\n\n\r\n"), "9\r\ndata: 1\n\n\r\n");
  std::thread([&] { EXPECT_TRUE(stream.write("data: 2\n\n")); }).join();
  EXPECT_EQ(client.read_until("data: 2\n\n\r\n"), "9\r\ndata: 2\n\n\r\n");
  EXPECT_FALSE(stream.is_closed());
}

TEST_F(StreamTest, EndsProperlyAndLeavesTheConnection) {
  start();
  RawClient client(server_->port());
  client.send(kGet);
  client.read_response();
  Stream stream = wait_for_stream();
  stream.write("bye");
  stream.close();
  EXPECT_FALSE(stream.write("more"));
  EXPECT_EQ(client.read_until("0\r\n\r\n"), "3\r\nbye\r\n0\r\n\r\n");
  EXPECT_TRUE(closed_.wait());
  client.send(kGet);
  EXPECT_EQ(client.read_response().status, 200);
  EXPECT_EQ(server_->stats().connections, 1U);
}

TEST_F(StreamTest, EndsWhenTheLastHandleGoes) {
  start();
  RawClient client(server_->port());
  client.send(kGet);
  client.read_response();
  wait_for_stream().write("x");
  EXPECT_EQ(client.read_until("0\r\n\r\n"), "1\r\nx\r\n0\r\n\r\n");
  EXPECT_TRUE(closed_.wait());
}

TEST_F(StreamTest, EndsWithTheConnectionForOldClients) {
  start();
  RawClient client(server_->port());
  client.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.read_response().header.find("chunked"), std::string::npos);
  Stream stream = wait_for_stream();
  stream.write("data");
  stream.close();
  EXPECT_EQ(client.read_all(), "data");
}

TEST_F(StreamTest, SendsOnlyTheHeaderToHead) {
  start();
  RawClient client(server_->port());
  client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto head = client.read_response(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header.find("Content-Length"), std::string::npos) << "nobody knows how long it is";
  EXPECT_TRUE(closed_.wait());
  EXPECT_FALSE(wait_for_stream().write("x"));
}

TEST_F(StreamTest, TellsWhenTheClientLeaves) {
  start();
  RawClient client(server_->port());
  client.send(kGet);
  client.read_response();
  const Stream stream = wait_for_stream();
  client.reset();
  EXPECT_TRUE(closed_.wait());
  EXPECT_TRUE(stream.is_closed());
  EXPECT_FALSE(stream.write("x"));
  EXPECT_EQ(server_->stats().parked, 0U);
  stream.on_closed([this] { closed_.happen(); });
  EXPECT_TRUE(closed_.wait(2));
}

TEST_F(StreamTest, DropsAReaderThatIsTooSlow) {
  start({.stream_bytes = 1'000'000});
  RawClient slow(server_->port(), 4096);
  slow.send(kGet);
  const Stream stream = wait_for_stream();
  // The kernel buffers some megabytes at most; the test would never end without the limit. Large
  // pieces, as each yield may cost a turn of whatever else the machine does.
  const std::string event(100'000, 'x');
  while (stream.write(event)) std::this_thread::yield();
  EXPECT_TRUE(closed_.wait());
  EXPECT_TRUE(stream.is_closed());
  EXPECT_EQ(server_->stats().dropped_streams, 1U);
  // The stream is told before the connection is no longer counted.
  EXPECT_TRUE(test::eventually([this] { return server_->stats().connections == 0; }));
}

TEST_F(StreamTest, ReachesManyReadersFromManyThreads) {
  std::vector<Stream> streams;
  const auto server = start_server([&](const Request&, const Responder& to) {
    {
      const MutexLock lock(mutex_);
      streams.push_back(to.stream(kHead));
    }
    opened_.happen();
  });
  std::vector<RawClient> clients;
  for (int i = 0; i < 100; ++i) clients.emplace_back(server->port()).send(kGet);
  ASSERT_TRUE(opened_.wait(100));
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&] {
      for (int event = 0; event < 25; ++event) {
        for (const Stream& stream : streams) EXPECT_TRUE(stream.write("x"));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (const Stream& stream : streams) stream.close();
  for (auto& client : clients) {
    client.read_response();
    const std::string body = client.read_until("0\r\n\r\n");
    EXPECT_EQ(std::count(body.begin(), body.end(), 'x'), 100) << body;
  }
}

}  // namespace
}  // namespace belfry::net
