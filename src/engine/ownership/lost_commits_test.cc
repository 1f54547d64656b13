#include "engine/ownership/lost_commits.h"

#include <gtest/gtest.h>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);
constexpr Duration kTtl = 5s;
constexpr Duration kRenew = 1s;

class LossWatchTest : public testing::Test {
 protected:
  std::optional<LostCommits> renew(Instant now, std::uint64_t era,
                                   std::optional<Instant> lease_before) {
    return watch_.note(
        {.now = now, .nodes = {}, .mine = {}, .era = store::Era(era), .lease_before = lease_before},
        kTtl, kRenew);
  }

  LossWatch watch_;
};

TEST_F(LossWatchTest, ANodeThatStartsKnowsOfNoLoss) {
  EXPECT_FALSE(renew(kStart, 7, std::nullopt));
}

TEST_F(LossWatchTest, WithinAnEraNothingIsLost) {
  renew(kStart, 1, std::nullopt);
  EXPECT_FALSE(renew(kStart + 1s, 1, kStart + kTtl));
  EXPECT_FALSE(renew(kStart + 2s, 1, kStart));  // whatever that is, no standby did it
}

TEST_F(LossWatchTest, AStandbyThatHasTheLastRenewalHasAll) {
  renew(kStart, 1, std::nullopt);
  EXPECT_FALSE(renew(kStart + 9s, 2, kStart + kTtl));
}

TEST_F(LossWatchTest, AStandbyThatLacksItHasLostCommits) {
  renew(kStart - 3s, 1, std::nullopt);
  renew(kStart, 1, kStart - 3s + kTtl);
  const auto lost = renew(kStart + 9s, 2, kStart - 3s + kTtl);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->after, kStart - 3s);
  EXPECT_EQ(lost->through, kStart + 2 * kRenew);  // others may have committed after our renewal
  EXPECT_EQ(lost->era, store::Era(2));
  EXPECT_FALSE(renew(kStart + 10s, 2, kStart + 9s + kTtl));  // told once
}

TEST_F(LossWatchTest, AStandbyThatNeverHeardOfTheNodeHasLostCommits) {
  renew(kStart, 1, std::nullopt);
  const auto lost = renew(kStart + 9s, 2, std::nullopt);
  ASSERT_TRUE(lost);
  EXPECT_FALSE(lost->after);
}

TEST_F(LossWatchTest, ARowThatMayHaveBeenSweptTellsNothing) {
  renew(kStart, 1, std::nullopt);
  EXPECT_FALSE(renew(kStart + 1h, 2, std::nullopt));
}

}  // namespace
}  // namespace belfry::engine
