#include "store/common/fates.h"

#include <gtest/gtest.h>

namespace belfry::store {
namespace {

Tick tick(std::int64_t second) {
  return Tick(Instant::from_micros(second * 1'000'000));
}

TEST(FatesTest, AreOrderedByJobAndThenByTick) {
  std::vector<Fate> fates;
  add_fates(fates,
            {.runs = {{JobId(2), tick(5)}, {JobId(1), tick(30)}},
             .skips = {{JobId(1), tick(10), tick(20), 2, core::SkipReason::kPaused}}},
            Epoch(7));
  add_fates(fates, {.runs = {{JobId(1), tick(5)}}}, Epoch(8));
  sort_fates(fates);
  ASSERT_EQ(fates.size(), 4U);
  EXPECT_EQ(fates[0].first, tick(5));
  EXPECT_EQ(fates[0].epoch, Epoch(8));
  EXPECT_EQ(fates[1].reason, core::SkipReason::kPaused);
  EXPECT_EQ(fates[1].last, tick(20));
  EXPECT_EQ(fates[1].count, 2);
  EXPECT_EQ(fates[2].first, tick(30));
  EXPECT_EQ(fates[3].job, JobId(2));
  EXPECT_EQ(fates[3].epoch, Epoch(7));
}

TEST(FatesTest, AreTakenJobByJob) {
  std::vector<Fate> fates;
  add_fates(fates, {.runs = {{JobId(1), tick(1)}, {JobId(1), tick(2)}, {JobId(3), tick(1)}}}, {});
  std::span<const Fate> rest = fates;
  EXPECT_EQ(take_job(rest).size(), 2U);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(take_job(rest).front().job, JobId(3));
  EXPECT_TRUE(rest.empty());
}

TEST(FatesTest, OnlyARunThatDoesNotWaitInLineIsLive) {
  std::vector<Fate> fates;
  add_fates(fates,
            {.runs = {{JobId(1), tick(1)}, {JobId(1), tick(2), 1, tick(9).instant()}},
             .skips = {{JobId(1), tick(3), tick(3), 1, core::SkipReason::kOverlap}}},
            {});
  EXPECT_TRUE(fates[0].is_live_run());
  EXPECT_FALSE(fates[1].is_live_run());
  EXPECT_FALSE(fates[2].is_live_run());
}

}  // namespace
}  // namespace belfry::store
