#include "deliver/topic/topics.h"

#include "base/real_clock.h"
#include "deliver/topic/cloud_event.h"
#include "tests/support/event.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

namespace belfry::deliver {
namespace {

using test::Event;

// Answers each message as it was told to; after that, takes everything.
class FakeBroker final : public Broker {
 public:
  // Publishing waits between these two: what comes meanwhile is in the next batch.
  void hold() {
    const MutexLock lock(mutex_);
    held_ = true;
  }
  void go_on() {
    {
      const MutexLock lock(mutex_);
      held_ = false;
    }
    changed_.notify_all();
  }

  Status connect() override {
    connected.happen();
    return {};
  }
  std::vector<Result<std::string>> publish(std::span<const Message> messages) override {
    std::vector<Result<std::string>> said;
    publishing.happen();
    {
      const MutexLock lock(mutex_);
      while (held_) changed_.wait_for(mutex_, std::chrono::seconds(1));
    }
    const auto breaks = [this](const Message& message) { return message.id == breaks_at; };
    if (std::any_of(messages.begin(), messages.end(), breaks)) {
      return {messages.size(), fail(Errc::kUnknownOutcome, "broken")};
    }
    for (const Message& message : messages) {
      const MutexLock lock(mutex_);
      ids.push_back(message.id);
      if (answers.empty()) {
        said.emplace_back("{}");
      } else {
        said.push_back(std::move(answers.front()));
        answers.pop_front();
      }
    }
    return said;
  }

  Event connected;
  Event publishing;
  std::deque<Result<std::string>> answers;
  std::vector<std::string> ids;
  std::string breaks_at = "";

 private:
  Mutex mutex_;
  Condition changed_;
  bool held_ = false;
};

class TopicsTest : public testing::Test {
 protected:
  TopicsTest() : log_(clock_, [](std::string_view) {}) {
    auto broker = std::make_unique<FakeBroker>();
    broker_ = broker.get();
    topics_.emplace("bus", std::move(broker), clock_, log_);
    EXPECT_TRUE(broker_->connected.wait());
  }
  ~TopicsTest() override { broker_->go_on(); }

  static Delivery delivery_of(const std::string& id) {
    Delivery delivery;
    delivery.run_id = id;
    delivery.target = {{"topic", "t"}};
    delivery.payload = "{}";
    return delivery;
  }
  Outcome publish(const std::string& id) {
    Event ended;
    Outcome result;
    topics_->start(delivery_of(id), [&](Outcome outcome) {
      result = std::move(outcome);
      ended.happen();
    });
    EXPECT_TRUE(ended.wait());
    return result;
  }
  static Result<std::string> error(Errc code) { return fail(code, "so it is"); }

  const RealClock clock_;
  Logger log_;
  // Declared before the topics, whose thread may still use them when a test is over.
  Event ended_;
  std::map<std::string, Ending> endings_;
  FakeBroker* broker_ = nullptr;
  std::optional<Topics> topics_;
};

TEST_F(TopicsTest, WhatTheBrokerHasIsASuccess) {
  EXPECT_EQ(publish("a").ending, Ending::kSucceeded);
  EXPECT_EQ(broker_->ids, std::vector<std::string>{"a"});
}

TEST_F(TopicsTest, ALostConnectionCostsNoAttemptTheFirstTime) {
  broker_->answers = {error(Errc::kUnknownOutcome)};
  EXPECT_EQ(publish("a").ending, Ending::kPutOff);
  EXPECT_TRUE(broker_->connected.wait(2));
  EXPECT_EQ(publish("a").ending, Ending::kSucceeded);
}

TEST_F(TopicsTest, AMessageThatTheBrokerCannotBearEndsSomeDay) {
  broker_->answers = {error(Errc::kUnknownOutcome)};
  EXPECT_EQ(publish("a").ending, Ending::kPutOff);
  EXPECT_TRUE(broker_->connected.wait(2));
  broker_->answers = {error(Errc::kUnknownOutcome)};
  const Outcome outcome = publish("a");
  EXPECT_EQ(outcome.ending, Ending::kFailed);
  EXPECT_TRUE(outcome.retryable);
}

TEST_F(TopicsTest, ABrokerThatTakesNothingNowCostsNoAttempt) {
  for (int i = 1; i <= 3; ++i) {
    broker_->answers = {error(Errc::kUnavailable)};
    EXPECT_EQ(publish("a").ending, Ending::kPutOff);
    EXPECT_TRUE(broker_->connected.wait(i + 1));
  }
  EXPECT_EQ(publish("a").ending, Ending::kSucceeded);
}

// The broker breaks the connection at `bad`, whatever else is in the batch.
TEST_F(TopicsTest, OneBadTopicCostsNobodyElseAnAttempt) {
  broker_->breaks_at = "bad";
  for (int round = 0; round < 2; ++round) {
    const int before = broker_->publishing.times();
    broker_->hold();
    topics_->start(delivery_of("before"), [](const Outcome&) {});
    ASSERT_TRUE(broker_->publishing.wait(before + 1));
    for (const char* id : {"a", "bad", "b"}) {
      topics_->start(delivery_of(id), [this, id](const Outcome& outcome) {
        endings_[id] = outcome.ending;
        ended_.happen();
      });
    }
    broker_->go_on();
    ASSERT_TRUE(ended_.wait(3 * (round + 1)));
    if (round > 0) break;
    EXPECT_EQ(endings_["a"], Ending::kPutOff) << "they were no batch";
  }
  EXPECT_EQ(endings_["bad"], Ending::kFailed);
  EXPECT_EQ(endings_["a"], Ending::kSucceeded);
  EXPECT_EQ(endings_["b"], Ending::kSucceeded);
}

TEST_F(TopicsTest, RefusalsAreFailures) {
  broker_->answers = {error(Errc::kConflict), error(Errc::kInvalid)};
  EXPECT_TRUE(publish("a").retryable);
  const Outcome never = publish("b");
  EXPECT_EQ(never.ending, Ending::kFailed);
  EXPECT_FALSE(never.retryable);
}

TEST(BrokerAddressTest, IsReadFromAUrl) {
  const auto address = BrokerAddress::parse("bus=amqp://me:p%40ss@host:5673/v%2Fh");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->name, "bus");
  EXPECT_EQ(address->scheme, "amqp");
  EXPECT_EQ(address->user, "me");
  EXPECT_EQ(address->password, "p@ss");
  EXPECT_EQ(address->host, "host");
  EXPECT_EQ(address->port, "5673");
  EXPECT_EQ(address->path, "v/h");
  EXPECT_FALSE(address->secure);
  EXPECT_EQ(BrokerAddress::parse("b=kafka://a:1?x=1")->options, "x=1");
  EXPECT_EQ(BrokerAddress::parse("b=redis://[::1]:7")->host, "::1");
  EXPECT_EQ(BrokerAddress::parse("b=kafka://a:1,b:2")->host, "a:1,b:2");
  for (const char* bad :
       {"", "bus", "bus=", "=redis://x", "bus=http://x", "bus=redis://", "bus=kafka://me:secret@x",
        "bus=redis://x?ca=f", "bus=rediss://x?verify=no", "bus=rediss://x?cert=f"}) {
    EXPECT_FALSE(BrokerAddress::parse(bad)) << bad;
  }
}

TEST(BrokerAddressTest, SaysWhomItBelieves) {
  const auto address = BrokerAddress::parse("b=tls://x?ca=%2Fca.pem&cert=c&key=k");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->scheme, "nats");
  EXPECT_TRUE(address->secure);
  EXPECT_EQ(address->ca_file, "/ca.pem");
  EXPECT_EQ(address->own.certificate, "c");
  EXPECT_EQ(address->own.key, "k");
  EXPECT_TRUE(BrokerAddress::parse("b=amqps://x")->secure);
  EXPECT_EQ(BrokerAddress::parse("b=rediss://x")->scheme, "redis");
}

TEST(CloudEventTest, CarriesTheFactsOfTheRun) {
  Delivery delivery;
  delivery.run_id = "run";
  delivery.job_id = "job";
  delivery.job_name = "nightly";
  delivery.job_type = "default";
  delivery.grant.fence = Fence(9'007'199'254'740'993);
  delivery.payload = R"({"n":1})";
  const auto event = parse_json(cloud_event_of(delivery));
  ASSERT_TRUE(event);
  EXPECT_EQ((*event)["specversion"], "1.0");
  EXPECT_EQ((*event)["id"], "run");
  EXPECT_EQ((*event)["source"], "/belfry/jobs/job");
  EXPECT_EQ((*event)["fence"], "9007199254740993");
  EXPECT_EQ((*event)["standsfor"], 1);
  EXPECT_EQ((*event)["data"]["n"], 1);
  for (const auto& [name, value] : event->items()) {
    for (const char c : name) EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) << name;
  }
}

}  // namespace
}  // namespace belfry::deliver
