#include "cli/files/fire_diff.h"

#include "base/text/instant_text.h"
#include "cli/files/job_diff.h"

#include <gtest/gtest.h>

namespace belfry::cli {
namespace {

const Instant kNow = *parse_instant("2026-11-15T12:00:00Z");

FireDiff diff(const Json& before, const Json& after) {
  auto client = client::Client::make({.server = "http://127.0.0.1:1"});
  FirePlan plan(*client, kNow);
  const auto old = plan.fires_of(normalised(before));
  const auto now = plan.fires_of(normalised(after));
  EXPECT_TRUE(old && now);
  return diff_of(*old, *now, kNow);
}

TEST(FireDiffTest, CountsGainedAndLost) {
  const FireDiff moved =
      diff({{"cron_expression", "0 2 * * *"}}, {{"cron_expression", "30 2 * * 1-5"}});
  EXPECT_EQ(moved.before, 30U);
  EXPECT_EQ(moved.after, 22U);
  EXPECT_EQ(moved.lost, 30U);
  EXPECT_EQ(moved.gained, 22U);
  EXPECT_EQ(to_string(moved), "in the next 30d: 30 fires become 22, 22 gained, 30 lost");
  const FireDiff thinned =
      diff({{"cron_expression", "0 * * * *"}}, {{"cron_expression", "0 */2 * * *"}});
  EXPECT_EQ(thinned.lost, 360U);
  EXPECT_EQ(thinned.gained, 0U);
}

TEST(FireDiffTest, AnotherWordingIsNoDifference) {
  EXPECT_TRUE(diff({{"cron_expression", "@daily"}}, {{"cron_expression", "0 0 * * *"}}).is_same());
  EXPECT_TRUE(diff({{"every", "1h"}}, {{"cron_expression", "0 * * * *"}}).is_same());
}

TEST(FireDiffTest, TooManyFiresShortenTheWindow) {
  const FireDiff fine = diff({{"every", "1s"}}, {{"every", "2s"}});
  EXPECT_EQ(fine.before, 50'000U);
  EXPECT_EQ(fine.lost, 25'000U);
  EXPECT_EQ(fine.window, std::chrono::seconds(50'000));
}

TEST(FireDiffTest, AJobThatFiresOnce) {
  const FireDiff later =
      diff({{"run_at", "2026-11-16T00:00:00Z"}}, {{"run_at", "2026-11-17T00:00:00Z"}});
  EXPECT_EQ(later.gained, 1U);
  EXPECT_EQ(later.lost, 1U);
}

}  // namespace
}  // namespace belfry::cli
