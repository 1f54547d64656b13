#include "engine/ownership/takeover_plan.h"

#include <gtest/gtest.h>

#include <set>

namespace belfry::engine {
namespace {

using store::OwnershipStore;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);
constexpr Duration kTtl = std::chrono::seconds(5);

class TakeoverPlanTest : public testing::Test {
 protected:
  TakeoverPlanTest() {
    holders_.now = kNow;
    for (std::uint16_t i = 0; i < kPartitionCount; ++i) {
      holders_.holders.push_back({PartitionNo(i), Epoch(1), Incarnation()});
    }
  }

  static Incarnation node(std::uint64_t number) { return Incarnation({0, number}); }
  void add_node(std::uint64_t number, Duration left = kTtl) {
    holders_.nodes.push_back({node(number), "node", 0, kNow + left});
  }
  // Partitions [begin, end) are the node's.
  void give(std::uint64_t number, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) holders_.holders.at(i).owner = node(number);
  }
  TakeoverPlan plan_of(std::uint64_t number) const {
    return plan_takeover(holders_, node(number),
                         [](const auto& other) { return other.lease_until > kNow; });
  }
  static void take(const std::vector<TakeoverPlan::Holding>& holdings, std::set<PartitionNo>& all) {
    for (const auto& holding : holdings) {
      EXPECT_TRUE(all.insert(holding.partition).second) << holding.partition.value();
    }
  }

  OwnershipStore::Holders holders_;
};

TEST_F(TakeoverPlanTest, TheFirstNodeTakesEverythingAtOnce) {
  add_node(1);
  EXPECT_EQ(plan_of(1).at_once.size(), 256U);
  EXPECT_TRUE(plan_of(1).loaded_first.empty());
}

TEST_F(TakeoverPlanTest, NewcomersLoadFirstAndDoNotOverlap) {
  for (const std::uint64_t number : {1U, 2U, 3U}) add_node(number);
  give(2, 0, 256);
  EXPECT_TRUE(plan_of(2).loaded_first.empty());
  std::set<PartitionNo> all;
  for (const std::uint64_t number : {1U, 3U}) {
    EXPECT_TRUE(plan_of(number).at_once.empty());
    take(plan_of(number).loaded_first, all);
  }
  EXPECT_EQ(all.size(), 256U - 85U);
  EXPECT_EQ(plan_of(1).loaded_first.size(), 86U);
}

TEST_F(TakeoverPlanTest, WhatADeadNodeLeavesIsSharedAtOnce) {
  add_node(1);
  add_node(2, -kTtl);
  add_node(3);
  give(1, 0, 86);
  give(2, 86, 171);
  give(3, 171, 256);
  std::set<PartitionNo> all;
  for (const std::uint64_t number : {1U, 3U}) {
    take(plan_of(number).at_once, all);
    EXPECT_TRUE(plan_of(number).loaded_first.empty());
  }
  EXPECT_EQ(all.size(), 85U);
}

TEST_F(TakeoverPlanTest, WhoHasRetiredIsRelievedByThoseWhoHaveLoaded) {
  add_node(1);
  add_node(3);
  give(1, 0, 86);
  give(2, 86, 171);  // has no row any more
  give(3, 171, 256);
  std::set<PartitionNo> all;
  for (const std::uint64_t number : {1U, 3U}) {
    EXPECT_TRUE(plan_of(number).at_once.empty());
    take(plan_of(number).loaded_first, all);
  }
  EXPECT_EQ(all.size(), 85U);
}

TEST_F(TakeoverPlanTest, WithEvenSharesThereIsNothingToDo) {
  for (const std::uint64_t number : {1U, 2U, 3U}) add_node(number);
  give(1, 0, 86);
  give(2, 86, 171);
  give(3, 171, 256);
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    EXPECT_TRUE(plan_of(number).at_once.empty());
    EXPECT_TRUE(plan_of(number).loaded_first.empty());
  }
}

TEST_F(TakeoverPlanTest, ANodeWithoutALeaseTakesNothing) {
  add_node(1, -kTtl);
  EXPECT_TRUE(plan_of(1).at_once.empty());
  EXPECT_TRUE(plan_of(7).at_once.empty());
}

}  // namespace
}  // namespace belfry::engine
