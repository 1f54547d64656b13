// How the answers of brokers are understood, with servers that answer on demand. The real ones are
// in tests/deliver.
#include "base/real_clock.h"
#include "deliver/topic/broker.h"
#include "tests/support/fake_server.h"

#include <gtest/gtest.h>

#include <array>

namespace belfry::deliver {
namespace {

using test::FakeServer;

class BrokersTest : public testing::Test {
 protected:
  std::unique_ptr<Broker> connect(const std::string& address) {
    auto broker = make_broker(*BrokerAddress::parse("bus=" + address), clock_);
    const Status connected = broker->connect();
    EXPECT_TRUE(connected) << to_string(connected.error());
    return broker;
  }
  static Message message(const std::string& topic) {
    return {.topic = topic, .id = "id", .key = "key", .body = "{}"};
  }
  static Result<std::string> publish(Broker& broker, const std::string& topic) {
    const std::array messages{message(topic)};
    return broker.publish(messages).front();
  }

  const RealClock clock_;
};

// ---- Redis

Errc code_when_redis_says(const Clock& clock, const std::string& refusal) {
  const FakeServer server("", [&](const std::string& heard) {
    return heard.find("XADD") == std::string::npos ? "+PONG\r\n" : refusal;
  });
  auto broker = make_broker(*BrokerAddress::parse("bus=redis://" + server.address()), clock);
  EXPECT_TRUE(broker->connect());
  const std::array messages{Message{.topic = "t", .id = "id", .key = "key", .body = "{}"}};
  const auto answers = broker->publish(messages);
  EXPECT_FALSE(answers.front());
  return answers.front() ? Errc::kInternal : answers.front().error().code;
}

TEST_F(BrokersTest, ARedisThatTakesNothingNowIsNoRefusalOfTheMessage) {
  for (const char* word : {"READONLY You can't write", "LOADING", "CLUSTERDOWN x", "OOM x"}) {
    EXPECT_EQ(code_when_redis_says(clock_, "-" + std::string(word) + "\r\n"), Errc::kUnavailable);
  }
  EXPECT_EQ(code_when_redis_says(clock_, "-WRONGTYPE no stream\r\n"), Errc::kConflict);
}

TEST_F(BrokersTest, ARedisThatTalksNonsenseIsALostConnection) {
  for (const char* nonsense : {"$18446744073709551615\r\n", "$-1\r\n", "?\r\n", "\r\n"}) {
    EXPECT_EQ(code_when_redis_says(clock_, nonsense), Errc::kUnknownOutcome) << nonsense;
  }
}

// ---- NATS

constexpr char kInfo[] = "INFO {\"max_payload\":1048576}\r\n";

// The reply subject of each HPUB in what was heard.
std::vector<std::string> replies_in(const std::string& heard) {
  std::vector<std::string> replies;
  for (auto at = heard.find("HPUB "); at != std::string::npos; at = heard.find("HPUB ", at + 1)) {
    const auto begin = heard.find(' ', at + 5) + 1;
    replies.push_back(heard.substr(begin, heard.find(' ', begin) - begin));
  }
  return replies;
}

std::string to(const std::string& subject, const std::string& body) {
  return "MSG " + subject + " 1 " + std::to_string(body.size()) + "\r\n" + body + "\r\n";
}

constexpr char kKept[] = R"({"stream":"S","seq":1})";

// Answers each message with this.
FakeServer::Answer nats_that_says(std::string body) {
  return [body = std::move(body)](const std::string& heard) {
    std::string said = heard.find("PING\r\n") == std::string::npos ? "" : "PONG\r\n";
    for (const std::string& reply : replies_in(heard)) said += to(reply, body);
    return said;
  };
}

TEST_F(BrokersTest, TheSubjectsOfNatsItselfAreNotForJobs) {
  const FakeServer server(kInfo, nats_that_says(kKept));
  const auto broker = connect("nats://" + server.address());
  for (const char* topic : {"$JS.API.STREAM.PURGE.ORDERS", "$SYS.REQ.x", "_INBOX.x.1", "a..b", ".a",
                            "a.", "", "a b", "a.*", ">"}) {
    const auto answer = publish(*broker, topic);
    ASSERT_FALSE(answer) << topic;
    EXPECT_EQ(answer.error().code, Errc::kInvalid) << topic;
  }
  EXPECT_TRUE(publish(*broker, "orders.new"));
}

TEST_F(BrokersTest, OnlyAStreamAcknowledges) {
  const auto code_of = [this](const std::string& body) {
    const FakeServer server(kInfo, nats_that_says(body));
    const auto answer = publish(*connect("nats://" + server.address()), "t");
    return answer ? Errc::kInternal : answer.error().code;
  };
  EXPECT_EQ(code_of(R"({"success":true,"purged":7})"), Errc::kConflict);
  EXPECT_EQ(code_of(R"({"error":{"code":400}})"), Errc::kConflict);
  EXPECT_EQ(code_of(R"({"error":{"code":503,"description":"no leader"}})"), Errc::kUnavailable);
}

TEST_F(BrokersTest, ASecondAnswerIsNotTakenForAnotherMessages) {
  bool first = true;
  const FakeServer server(kInfo, [&](const std::string& heard) -> std::string {
    if (replies_in(heard).empty()) return "PONG\r\n";
    const std::string reply = replies_in(heard).front();
    if (!std::exchange(first, false)) return to(reply, R"({"error":{"code":400}})");
    return to(reply, kKept) + to(reply, kKept);
  });
  const auto broker = connect("nats://" + server.address());
  EXPECT_TRUE(publish(*broker, "t"));
  EXPECT_FALSE(publish(*broker, "t"));
}

TEST_F(BrokersTest, NonsenseFromNatsEndsNothingButTheConnection) {
  const FakeServer odd("INFO {\"max_payload\":\"much\"}\r\n", nats_that_says(kKept));
  EXPECT_TRUE(publish(*connect("nats://" + odd.address()), "t"));
  for (const char* nonsense :
       {"MSG x 1 2\r\n{}\r\n-ERR 'x'\r\n", "MSG _INBOX.x.1 1 18446744073709551615\r\n-ERR 'x'\r\n",
        "HMSG x 1 9 2\r\n{}\r\n"}) {
    const FakeServer server(kInfo, [&](const std::string& heard) -> std::string {
      return replies_in(heard).empty() ? "PONG\r\n" : nonsense;
    });
    const auto answer = publish(*connect("nats://" + server.address()), "t");
    ASSERT_FALSE(answer) << nonsense;
    EXPECT_EQ(answer.error().code, Errc::kUnknownOutcome) << nonsense;
  }
}

// ---- Kafka, on librdkafka's own mock cluster

TEST_F(BrokersTest, WhatIsTooLargeForKafkaWillNeverBeTaken) {
  const auto broker = connect("kafka://mock?test.mock.num.brokers=1&message.max.bytes=1000");
  Message large = message("t");
  large.body.assign(2'000, 'x');
  const std::array messages{large};
  const auto answers = broker->publish(messages);
  ASSERT_FALSE(answers.front());
  EXPECT_EQ(answers.front().error().code, Errc::kInvalid);
  EXPECT_TRUE(publish(*broker, "t"));
}

}  // namespace
}  // namespace belfry::deliver
