#include "deliver/webhook/circuit_breaker.h"

#include <gtest/gtest.h>

namespace belfry::deliver {
namespace {

using namespace std::chrono_literals;
using Say = CircuitBreaker::Say;
using Seen = CircuitBreaker::Seen;

class CircuitBreakerTest : public testing::Test {
 protected:
  Say ask(const std::string& host, std::uint64_t tenant = 1) {
    return breaker_.ask(host, tenant, now_).say;
  }
  void end(const std::string& host, Seen seen, std::uint64_t tenant = 1) {
    breaker_.end(host, tenant, seen, now_);
  }
  void fail_often(const std::string& host, int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_EQ(ask(host), Say::kGo);
      end(host, Seen::kFailed);
    }
  }

  CircuitBreaker breaker_{{.most_per_host = 2,
                           .most_per_tenant = 3,
                           .failures_to_open = 3,
                           .first_pause = 1s,
                           .longest_pause = 4s}};
  BootInstant now_ = BootInstant(Duration(1h));
};

TEST_F(CircuitBreakerTest, OnlySoManyGoToAHost) {
  EXPECT_EQ(ask("a"), Say::kGo);
  EXPECT_EQ(ask("a"), Say::kGo);
  EXPECT_EQ(ask("a"), Say::kFull);
  EXPECT_EQ(ask("b"), Say::kGo);
  end("a", Seen::kReached);
  EXPECT_EQ(ask("a"), Say::kGo);
}

TEST_F(CircuitBreakerTest, OnlySoManyAreOfATenant) {
  EXPECT_EQ(ask("a"), Say::kGo);
  EXPECT_EQ(ask("b"), Say::kGo);
  EXPECT_EQ(ask("c"), Say::kGo);
  EXPECT_EQ(ask("d"), Say::kFull);
  EXPECT_EQ(ask("d", 2), Say::kGo);
}

TEST(CircuitBreakerSharesTest, OneTenantLeavesRoomAtAHostForAnother) {
  CircuitBreaker breaker;
  const BootInstant now{};
  int first = 0;
  while (breaker.ask("slow", 1, now).say == Say::kGo) ++first;
  EXPECT_EQ(first, 32);
  EXPECT_EQ(breaker.ask("slow", 2, now).say, Say::kGo);
}

TEST_F(CircuitBreakerTest, FailuresInARowOpenTheCircuitOfTheirHost) {
  fail_often("a", 3);
  const auto answer = breaker_.ask("a", 1, now_);
  EXPECT_EQ(answer.say, Say::kOpen);
  EXPECT_EQ(answer.wait, 1s);
  EXPECT_EQ(ask("b"), Say::kGo);
}

TEST_F(CircuitBreakerTest, SaysWhoIsSilentAndSinceWhen) {
  fail_often("a", 2);
  EXPECT_TRUE(breaker_.silent(now_).empty());  // that may be chance
  now_ = now_ + 10s;
  fail_often("a", 1);
  ASSERT_EQ(breaker_.silent(now_).size(), 1U);
  EXPECT_EQ(breaker_.silent(now_)[0].host, "a");
  EXPECT_EQ(breaker_.silent(now_)[0].tenant, 1U);
  EXPECT_EQ(breaker_.silent(now_)[0].silent_for, 10s);
  now_ = now_ + 1s;
  ASSERT_EQ(ask("a"), Say::kGo);
  end("a", Seen::kReached);
  EXPECT_TRUE(breaker_.silent(now_).empty());
}

TEST_F(CircuitBreakerTest, ASuccessBetweenKeepsItClosed) {
  fail_often("a", 2);
  EXPECT_EQ(ask("a"), Say::kGo);
  end("a", Seen::kReached);
  fail_often("a", 2);
  EXPECT_EQ(ask("a"), Say::kGo);
}

TEST_F(CircuitBreakerTest, OneProbeGoesAndTellsForAll) {
  fail_often("a", 3);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kGo);
  EXPECT_EQ(ask("a"), Say::kOpen);
  end("a", Seen::kFailed);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kOpen) << "the pause doubles";
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kGo);
  end("a", Seen::kReached);
  EXPECT_EQ(ask("a"), Say::kGo);
  EXPECT_EQ(ask("a"), Say::kGo);
}

TEST_F(CircuitBreakerTest, ALongCallUnderWayDoesNotKeepTheCircuitOpen) {
  EXPECT_EQ(ask("a"), Say::kGo);  // and goes on
  fail_often("a", 3);
  EXPECT_EQ(ask("a"), Say::kOpen);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kGo);
  end("a", Seen::kReached);
  EXPECT_EQ(ask("a"), Say::kGo);
}

TEST_F(CircuitBreakerTest, AProbeThatDoesNotComeBackIsFollowedByAnother) {
  fail_often("a", 3);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kGo);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kOpen);
  now_ = now_ + 1s;
  EXPECT_EQ(ask("a"), Say::kGo);
}

TEST_F(CircuitBreakerTest, OneTenantsFailuresAreNotAnothers) {
  fail_often("a", 3);
  EXPECT_EQ(ask("a"), Say::kOpen);
  EXPECT_EQ(ask("a", 2), Say::kGo);
  end("a", Seen::kReached, 2);
  EXPECT_EQ(ask("a"), Say::kOpen);
}

TEST_F(CircuitBreakerTest, TellsHowLongAHostIsSilent) {
  fail_often("a", 3);
  now_ = now_ + 500ms;
  EXPECT_EQ(breaker_.ask("a", 1, now_).silent_for, 500ms);
}

TEST_F(CircuitBreakerTest, ForgetsCalmHosts) {
  for (int i = 0; i < 100; ++i) {
    ask("host-" + std::to_string(i));
    end("host-" + std::to_string(i), Seen::kReached);
  }
  EXPECT_EQ(breaker_.remembered(), 0U);
}

}  // namespace
}  // namespace belfry::deliver
