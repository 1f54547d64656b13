#include "trace/exporter.h"

#include "base/real_clock.h"
#include "net/server/server.h"
#include "tests/support/event.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace belfry::trace {
namespace {

using namespace std::chrono_literals;

Span span_no(std::uint64_t number) {
  return {.place = {TraceId({1, number}), SpanId(number)}, .name = "claim"};
}

class ExporterTest : public testing::Test {
 protected:
  // A collector that answers each call with the status of the moment; 0: never.
  void SetUp() override {
    auto server = net::HttpServer::start(
        {}, [this](const net::Request& request, const net::Responder& responder) {
          {
            const MutexLock lock(mutex_);
            seen_.push_back(request);
            held_.push_back(responder);
          }
          if (status_ != 0) responder.send({.status = status_});
          called_.happen();
        });
    ASSERT_TRUE(server) << to_string(server.error());
    server_ = std::move(*server);
  }

  std::unique_ptr<Exporter> exporter(std::size_t most_waiting = 100) {
    ExporterConfig config{.endpoint = *net::Url::parse(
                              "http://127.0.0.1:" + std::to_string(server_->port()) + "/v1/traces"),
                          .headers = {{"api-key", "abc"}},
                          .most_waiting = most_waiting,
                          .spans_per_call = 10,
                          .collect = 1ms,
                          .patience = test::kPatience,
                          .last_patience = 1ms,
                          .pause = 1ms,
                          .longest_pause = 1ms};
    return std::make_unique<Exporter>(std::move(config), spans_, log_);
  }
  std::uint64_t sent() { return spans_.with({"sent"}).value(); }
  std::uint64_t dropped() { return spans_.with({"dropped"}).value(); }
  std::vector<net::Request> seen() {
    const MutexLock lock(mutex_);
    return seen_;
  }

  const RealClock clock_;
  Mutex mutex_;
  std::vector<std::string> lines_;
  Logger log_{clock_, [this](std::string_view line) {
                const MutexLock lock(mutex_);
                lines_.emplace_back(line);
              }};
  MetricRegistry metrics_;
  Family<Counter>& spans_ = Exporter::counters(metrics_);
  std::atomic<int> status_ = 200;
  test::Event called_;
  std::vector<net::Request> seen_;
  std::vector<net::Responder> held_;
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(ExporterTest, PostsProtobufWithTheHeadersItWasTold) {
  const auto traces = exporter();
  traces->add(span_no(1));
  ASSERT_TRUE(called_.wait());
  const net::Request request = seen().front();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/traces");
  EXPECT_EQ(request.headers.find("content-type"), "application/x-protobuf");
  EXPECT_EQ(request.headers.find("api-key"), "abc");
  EXPECT_EQ(request.body, encode_request({}, std::vector{span_no(1)}));
  EXPECT_TRUE(test::eventually([&] { return sent() == 1; }));
  EXPECT_EQ(dropped(), 0U);
}

TEST_F(ExporterTest, CompletesASpanBeforeItIsSent) {
  const auto traces = exporter();
  Span span = span_no(1);
  span.complete = [](Span& it) { it.name = "attempt"; };
  traces->add(std::move(span));
  ASSERT_TRUE(called_.wait());
  EXPECT_NE(seen().front().body.find("attempt"), std::string::npos);
}

TEST_F(ExporterTest, ACollectorThatHangsCostsSpansAndNothingElse) {
  status_ = 0;
  const auto traces = exporter(20);
  traces->add(span_no(1));
  ASSERT_TRUE(called_.wait());
  // The thread waits for an answer that never comes: what follows has the queue to itself.
  for (std::uint64_t i = 2; i <= 101; ++i) traces->add(span_no(i));
  EXPECT_EQ(dropped(), 80U);
  traces->stop();
  EXPECT_EQ(dropped(), 101U);
  EXPECT_EQ(sent(), 0U);
}

TEST_F(ExporterTest, GoesOnWhenTheCollectorDoesAndTellsOnce) {
  status_ = 503;
  const auto traces = exporter();
  traces->add(span_no(1));
  ASSERT_TRUE(called_.wait());
  ASSERT_TRUE(test::eventually([&] { return dropped() == 1; }));
  traces->add(span_no(2));
  ASSERT_TRUE(called_.wait(2));
  ASSERT_TRUE(test::eventually([&] { return dropped() == 2; }));
  status_ = 200;
  traces->add(span_no(3));
  ASSERT_TRUE(test::eventually([&] { return sent() == 1; }));
  traces->stop();
  ASSERT_EQ(lines_.size(), 2U);
  EXPECT_NE(lines_[0].find("traces_not_sent"), std::string::npos);
  EXPECT_NE(lines_[0].find("503"), std::string::npos);
  EXPECT_NE(lines_[1].find("traces_sent_again"), std::string::npos);
}

TEST_F(ExporterTest, WhatComesAfterTheEndIsDropped) {
  const auto traces = exporter();
  traces->stop();
  traces->add(span_no(1));
  EXPECT_EQ(dropped(), 1U);
  traces->stop();
}

}  // namespace
}  // namespace belfry::trace
