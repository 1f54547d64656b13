#include "deliver/webhook/webhook_request.h"

#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::deliver {
namespace {

using namespace std::chrono_literals;

Delivery delivery_to(const Json& target) {
  Delivery delivery;
  delivery.grant = {{JobId(1), core::RunKey(2)}, Fence(7)};
  delivery.run_id = "00000000000000010000000000000002";
  delivery.attempt = AttemptNo(3);
  delivery.stands_for = 5;
  delivery.scheduled_for = from_unix_seconds(1'800'000'000);
  delivery.target = target;
  delivery.payload = R"({"a": 1})";
  return delivery;
}

HttpCall call_for(const Json& target) {
  const Delivery delivery = delivery_to(target);
  const auto url = webhook_url(delivery);
  EXPECT_TRUE(url);
  auto call = webhook_call(delivery, *url, from_unix_seconds(1'800'000'001));
  EXPECT_TRUE(call);
  return *std::move(call);
}

bool has(const HttpCall& call, const std::string& line) {
  return std::find(call.headers.begin(), call.headers.end(), line) != call.headers.end();
}

TEST(WebhookCallTest, CarriesTheFactsOfTheRun) {
  const HttpCall call = call_for({{"kind", "HTTP"}, {"url", "https://example.com:8443/x?y=1"}});
  EXPECT_EQ(call.method, "POST");
  EXPECT_EQ(call.host, "example.com");
  EXPECT_EQ(call.port, 8443);
  EXPECT_EQ(call.body, R"({"a": 1})");
  EXPECT_TRUE(has(call, "webhook-id: 00000000000000010000000000000002"));
  EXPECT_TRUE(has(call, "webhook-timestamp: 1800000001"));
  EXPECT_TRUE(has(call, "Idempotency-Key: 00000000000000010000000000000002"));
  EXPECT_TRUE(has(call, "Belfry-Fence: 7"));
  EXPECT_TRUE(has(call, "Belfry-Attempt: 3"));
  EXPECT_TRUE(has(call, "Belfry-Stands-For: 5"));
  EXPECT_TRUE(has(call, "Belfry-Scheduled-For: 2027-01-15T08:00:00Z"));
  EXPECT_TRUE(has(call, "Content-Type: application/json"));
}

TEST(WebhookCallTest, UsersHeadersGoAlong) {
  const HttpCall call = call_for({{"url", "http://example.com/"},
                                  {"headers", {{"X-A", "b"}, {"content-type", "text/plain"}}}});
  EXPECT_TRUE(has(call, "X-A: b"));
  EXPECT_TRUE(has(call, "content-type: text/plain"));
  EXPECT_FALSE(has(call, "Content-Type: application/json"));
}

TEST(WebhookCallTest, NoHeaderSmugglesAnother) {
  const Delivery delivery = delivery_to(
      {{"url", "http://example.com/"}, {"headers", {{"X-A", "b\r\nBelfry-Fence: 99"}}}});
  EXPECT_FALSE(webhook_call(delivery, *webhook_url(delivery), from_unix_seconds(1)));
}

struct StatusCase {
  int status;
  Ending ending;
  bool retryable;
};

TEST(WebhookOutcomeTest, TheStatusDecides) {
  for (const auto& [status, ending, retryable] : {StatusCase{200, Ending::kSucceeded, true},
                                                  {204, Ending::kSucceeded, true},
                                                  {202, Ending::kSucceeded, true},
                                                  {301, Ending::kFailed, false},
                                                  {307, Ending::kFailed, false},
                                                  {400, Ending::kFailed, false},
                                                  {404, Ending::kFailed, false},
                                                  {410, Ending::kFailed, false},
                                                  {408, Ending::kFailed, true},
                                                  {425, Ending::kFailed, true},
                                                  {429, Ending::kFailed, true},
                                                  {500, Ending::kFailed, true},
                                                  {503, Ending::kFailed, true}}) {
    const Outcome outcome = webhook_outcome({.status = status});
    EXPECT_EQ(outcome.ending, ending) << status;
    EXPECT_EQ(outcome.retryable, retryable) << status;
  }
}

TEST(WebhookOutcomeTest, TheReceiverMayAskForTime) {
  EXPECT_EQ(webhook_outcome({.status = 429, .retry_after = 90s}).wait, 90s);
  EXPECT_EQ(webhook_outcome({.status = 202, .asynchronous = true}).ending, Ending::kHandedOver);
  EXPECT_EQ(webhook_outcome({.status = 200, .asynchronous = true}).ending, Ending::kSucceeded);
}

TEST(WebhookOutcomeTest, WhatAReceiverSaysIsTextInTheEnd) {
  const std::string body = std::string("a\0\x1b[2J\xff", 7) + std::string(195, '\xc3');
  const Outcome outcome = webhook_outcome({.status = 500, .body = body});
  EXPECT_TRUE(is_utf8(outcome.error));
  EXPECT_TRUE(outcome.error.starts_with("status: 500: a??[2J?")) << outcome.error;
}

TEST(WebhookOutcomeTest, TheBodyIsKeptAsJsonOrText) {
  EXPECT_EQ(webhook_outcome({.status = 200, .body = R"({"n":1})"}).result,
            R"({"status":200,"body":{"n":1}})");
  EXPECT_EQ(webhook_outcome({.status = 200, .body = "thanks"}).result,
            R"({"status":200,"body":"thanks"})");
}

}  // namespace
}  // namespace belfry::deliver
