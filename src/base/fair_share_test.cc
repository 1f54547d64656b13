#include "base/fair_share.h"

#include <gtest/gtest.h>

namespace belfry {
namespace {

std::size_t take_all(FairShare& share, const std::string& who) {
  std::size_t taken = 0;
  while (share.take(who)) ++taken;
  return taken;
}

TEST(FairShareTest, OneAloneLeavesRoomForOthers) {
  FairShare share(600);
  EXPECT_EQ(take_all(share, "a"), 500U);
  EXPECT_TRUE(share.take("b"));
}

TEST(FairShareTest, SeveralGreedyOnesEndUpWithEqualParts) {
  FairShare share(1'100);
  std::size_t first = take_all(share, "a");
  std::size_t second = take_all(share, "b");
  EXPECT_GT(first, 4 * second);
  for (int i = 0; i < 1'000; ++i) {  // each gives one back, then both want it
    share.give_back("a");
    second += share.take("b") ? 1U : 0U;
    first -= share.take("a") ? 0U : 1U;
  }
  EXPECT_NEAR(static_cast<double>(first), static_cast<double>(second), 2);
  EXPECT_GT(share.used(), 990U);
}

TEST(FairShareTest, WhatIsGivenBackCanBeTakenAgain) {
  FairShare share(600);
  const std::size_t all = take_all(share, "a");
  share.give_back("a", 100);
  EXPECT_EQ(take_all(share, "a"), 100U);
  share.give_back("a", all);
  EXPECT_EQ(share.used(), 0U);
}

TEST(FairShareTest, LargeAmountsNeverExceedTheTotal) {
  FairShare share(100);
  EXPECT_FALSE(share.take("a", 101));
  EXPECT_TRUE(share.take("a", 60));
  EXPECT_FALSE(share.take("b", 41));
  EXPECT_TRUE(share.take("b", 40));
  EXPECT_EQ(share.used(), 100U);
}

}  // namespace
}  // namespace belfry
