#include "core/catch_up_line.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::core {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_seconds(1'767'268'800);

LateRun late(std::uint64_t job, Duration ago, std::int32_t priority = 0, std::uint64_t tenant = 1) {
  return {JobId(job), TenantId(tenant), priority, Tick(kNow - ago)};
}

// The jobs in the order in which they start.
std::vector<std::uint64_t> order(const std::vector<LateRun>& runs) {
  const auto starts = line_up(runs, kNow, seconds(1));
  std::vector<std::size_t> indices(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) indices[i] = i;
  std::ranges::sort(indices, {}, [&](std::size_t i) { return starts[i]; });
  std::vector<std::uint64_t> jobs;
  for (const std::size_t i : indices) jobs.push_back(runs[i].job.value());
  return jobs;
}

TEST(CatchUpLineTest, RunsStartOneAfterTheOther) {
  std::vector<LateRun> runs;
  for (std::uint64_t job = 1; job <= 50; ++job) runs.push_back(late(job, seconds(100)));
  auto starts = line_up(runs, kNow, seconds(2));
  std::ranges::sort(starts);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(starts[i], kNow + static_cast<std::int64_t>(i) * Duration(seconds(2)));
  }
}

TEST(CatchUpLineTest, TheHighestPriorityGoesFirstThenTheOldest) {
  EXPECT_EQ(order({late(1, minutes(1)), late(2, minutes(2)), late(3, minutes(1), 5)}),
            (std::vector<std::uint64_t>{3, 2, 1}));
}

TEST(CatchUpLineTest, TenantsTakeTurns) {
  EXPECT_EQ(order({late(1, minutes(9)), late(2, minutes(8)), late(3, minutes(7)),
                   late(4, minutes(1), 0, 2), late(5, minutes(1), 0, 2)}),
            (std::vector<std::uint64_t>{1, 4, 2, 5, 3}));
}

TEST(CatchUpLineTest, WhoMakesUpForEveryTickComesLastAndAtItsOwnPace) {
  const std::vector<LateRun> runs{late(1, minutes(3), 9), late(1, minutes(2), 9),
                                  late(1, minutes(1), 9), late(2, seconds(30))};
  const auto starts = line_up(runs, kNow, seconds(1));
  EXPECT_EQ(starts, (std::vector<Instant>{kNow + seconds(1), kNow + seconds(61),
                                          kNow + seconds(121), kNow}));
}

TEST(CatchUpLineTest, NobodyIsNobody) {
  EXPECT_TRUE(line_up({}, kNow, seconds(1)).empty());
}

}  // namespace
}  // namespace belfry::core
