#include "cli/files/herd.h"

#include "cli/text/text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace belfry::cli {
namespace {

using std::chrono::minutes;

constexpr Instant kFrom = from_unix_seconds(1'790'000'000 / 3'600 * 3'600);

Json cron(const std::string& name, const std::string& expression) {
  return {{"job_name", name}, {"schedule_type", "CRON"}, {"cron_expression", expression}};
}

// A toy of a server: what has an `H` or jitter fires at a minute of its own, the rest at :00.
client::Answer<Fires> fires_of(const Json& job) {
  const bool spread = job.contains("jitter") || field(job, "cron_expression").starts_with('H');
  const auto minute = spread ? std::stoi(field(job, "job_name")) : 0;
  return Fires{.at = {kFrom + minutes(minute)}, .until = kFrom + std::chrono::hours(1)};
}

TEST(HerdTest, HalvesTheWorstMinuteAndLeavesTheOthersAlone) {
  std::vector<Json> jobs;
  for (int i = 1; i <= 10; ++i) jobs.push_back(cron(std::to_string(i), "0 * * * *"));
  const auto advice = advise(jobs, {.from = kFrom, .hours = 1, .most = 3}, fires_of);
  ASSERT_TRUE(advice);
  ASSERT_EQ(advice->minutes.size(), 1U);
  EXPECT_EQ(advice->minutes[0].at, kFrom);
  EXPECT_EQ(advice->minutes[0].jobs.size(), 10U);
  EXPECT_EQ(advice->minutes[0].before, 10U);
  EXPECT_EQ(advice->minutes[0].after, 5U);
  EXPECT_EQ(advice->changes.size(), 5U);
}

TEST(HerdTest, ChangeThatLeavesTheJobInItsMinuteIsNotProposed) {
  const std::vector<Json> jobs{cron("0", "0 * * * *"), cron("0", "0 * * * *")};
  const auto advice = advise(jobs, {.from = kFrom, .hours = 1}, fires_of);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->minutes[0].after, 2U);
  EXPECT_TRUE(advice->changes.empty());
}

TEST(HerdTest, EachKindOfScheduleHasItsOwnSpread) {
  const auto told = [](const Json& job) {
    const HerdChange change = spreading(job);
    return change.field + " " + change.after;
  };
  EXPECT_EQ(told(cron("a", "0 * * * *")), "cron_expression H * * * *");
  EXPECT_EQ(told(cron("a", "*/15 9-17 * * *")), "cron_expression H/15 9-17 * * *");
  EXPECT_EQ(told(cron("a", "0 2 * * *")), "jitter 30m");
  EXPECT_EQ(told(cron("a", "* * * * *")), " ");
  EXPECT_EQ(told(cron("a", "H 2 * * *")), " ");
  EXPECT_EQ(told({{"schedule_type", "EVERY"}, {"every", "10m"}}), "jitter 5m");
  EXPECT_EQ(told({{"schedule_type", "EVERY"}, {"every", "30s"}}), " ");
  EXPECT_EQ(told({{"schedule_type", "ONCE"}, {"run_at", "2027-01-01T00:00:00Z"}}), " ");
}

}  // namespace
}  // namespace belfry::cli
