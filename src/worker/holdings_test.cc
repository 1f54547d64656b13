#include "worker/holdings.h"

#include "base/manual_clock.h"

#include <gtest/gtest.h>

namespace belfry::worker {
namespace {

using namespace std::chrono_literals;

class HoldingsTest : public testing::Test {
 protected:
  HoldingsTest() { context_ = holdings_.take(task()); }

  static Task task() {
    Task task;
    task.run_id = "run";
    task.fence = 7;
    task.timeout = 300s;
    return task;
  }
  void answer(HeartbeatAnswer answer, BootInstant sent) {
    const std::vector<Heartbeat> beats{{kGrant}};
    lost_ = holdings_.answered(beats, std::vector{answer}, sent);
  }

  inline static const Grant kGrant{"run", 7};
  ManualClock clock_;
  Holdings holdings_{clock_, 30s, 1s};
  std::shared_ptr<Context> context_;
  std::vector<Grant> lost_;
};

TEST_F(HoldingsTest, ABeatIsDueAfterAThirdOfTheLease) {
  clock_.advance(9s);
  EXPECT_TRUE(holdings_.due().empty());
  clock_.advance(1s);
  EXPECT_EQ(holdings_.due().size(), 1U);
  EXPECT_TRUE(holdings_.due().empty());
}

TEST_F(HoldingsTest, ARunThatWasGrantedLongAgoHasToBeatFirst) {
  Task late = task();
  late.fence = 8;
  late.age = 10s;
  const Grant grant = late.grant();
  EXPECT_TRUE(holdings_.is_fresh(kGrant));
  (void)holdings_.take(late);
  EXPECT_FALSE(holdings_.is_fresh(grant));
  const std::vector<Heartbeat> beats = holdings_.due();
  ASSERT_EQ(beats.size(), 1U);
  EXPECT_EQ(beats[0].grant, grant);
  (void)holdings_.answered(beats, std::vector{HeartbeatAnswer::kExtended}, clock_.boot_now());
  EXPECT_TRUE(holdings_.is_fresh(grant));
}

TEST_F(HoldingsTest, ALeaseCountsFromItsGrant) {
  Task late = task();
  late.fence = 8;
  late.age = 25s;
  const Grant grant = late.grant();
  (void)holdings_.take(late);
  clock_.advance(4s);
  EXPECT_TRUE(holdings_.holds(grant));
  clock_.advance(1s);
  EXPECT_FALSE(holdings_.holds(grant));
}

TEST_F(HoldingsTest, ALeaseThatWasNotProlongedIsLostByOurOwnClock) {
  clock_.advance(30s);
  EXPECT_FALSE(holdings_.holds(kGrant));  // before anybody looked
  EXPECT_TRUE(holdings_.due().empty());
  EXPECT_EQ(context_->why(), CancelReason::kLeaseLost);
}

TEST_F(HoldingsTest, ALeaseCountsFromWhenTheBeatWasSent) {
  const BootInstant sent = clock_.boot_now();
  clock_.advance(20s);  // the answer took that long
  answer(HeartbeatAnswer::kExtended, sent);
  clock_.advance(9s);
  EXPECT_TRUE(holdings_.holds(kGrant));
  clock_.advance(1s);
  EXPECT_FALSE(holdings_.holds(kGrant));
}

TEST_F(HoldingsTest, AFencedRunIsLostAtOnce) {
  answer(HeartbeatAnswer::kFenced, clock_.boot_now());
  EXPECT_EQ(lost_, std::vector{kGrant});
  EXPECT_FALSE(holdings_.holds(kGrant));
  EXPECT_EQ(context_->why(), CancelReason::kLeaseLost);
}

TEST_F(HoldingsTest, ACancelledRunIsStillOursToReport) {
  answer(HeartbeatAnswer::kCancel, clock_.boot_now());
  EXPECT_TRUE(holdings_.holds(kGrant));
  EXPECT_EQ(context_->why(), CancelReason::kAsked);
}

TEST_F(HoldingsTest, NewsAreToldWithinASecondAndAgainIfTheyGotLost) {
  context_->log("one");
  std::vector<Heartbeat> beats = holdings_.due();
  ASSERT_EQ(beats.size(), 1U);
  EXPECT_EQ(beats[0].log, "one\n");
  context_->log("two");
  EXPECT_TRUE(holdings_.due().empty());
  clock_.advance(1s);
  beats = holdings_.due();
  ASSERT_EQ(beats.size(), 1U);
  holdings_.not_answered(beats);
  clock_.advance(1s);
  beats = holdings_.due();
  ASSERT_EQ(beats.size(), 1U);
  EXPECT_EQ(beats[0].log, "one\ntwo\n");
}

TEST_F(HoldingsTest, TheDeadlineCancelsButLosesNothing) {
  for (int i = 0; i < 30; ++i) {
    clock_.advance(10s);
    holdings_.due();
    answer(HeartbeatAnswer::kExtended, clock_.boot_now());
  }
  EXPECT_EQ(context_->why(), CancelReason::kDeadline);
  EXPECT_TRUE(holdings_.holds(kGrant));
}

}  // namespace
}  // namespace belfry::worker
