#include "demo/play.h"

#include "base/manual_clock.h"
#include "demo/cast.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/support/folder.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace belfry::demo {
namespace {

using namespace std::chrono_literals;

TEST(PlayTest, LeavesAFortnightThatHasEverything) {
  const test::Folder folder;
  const ManualClock now(from_unix_seconds(1'800'000'000));
  Logger log{now, [](std::string_view) {}, {.least = LogLevel::kError}};
  const std::string path = (folder.path() / "demo.db").string();
  const auto played = play(path, now, log);
  ASSERT_TRUE(played) << to_string(played.error());

  auto store = store::open_sqlite({.path = path, .now = [&now] { return now.wall_now(); }});
  ASSERT_TRUE(store);
  std::map<core::RunState, int> states;
  std::set<core::SkipReason> skips;
  Instant first = Instant::max();
  Instant last = Instant::min();
  for (const Role& role : cast()) {
    const auto tenant = (*store)->find_tenant(std::string(role.tenant));
    ASSERT_TRUE(tenant);
    const auto job = (*store)->find_job(tenant->id, std::string(role.name));
    ASSERT_TRUE(job) << role.name;
    EXPECT_NE(job->definition.labels.find("belfry-demo"), std::string::npos);  // clearly marked
    const auto runs = (*store)->runs_of(job->id);
    const auto skipped = (*store)->skips_of(job->id);
    ASSERT_TRUE(runs && skipped);
    for (const store::RunRow& run : *runs) {
      ++states[run.state];
      first = std::min(first, run.scheduled_for);
      last = std::max(last, run.scheduled_for);
    }
    for (const store::SkipRow& skip : *skipped) skips.insert(skip.reason);
  }
  EXPECT_GT(states[core::RunState::kSucceeded], 3'000);
  EXPECT_GT(states[core::RunState::kDead], 10);
  EXPECT_GT(states[core::RunState::kReady], 0);  // nobody serves the GPU
  EXPECT_LT(first, now.wall_now() - 13 * 24h);
  EXPECT_GT(last, now.wall_now() - 1h);
  EXPECT_TRUE(skips.contains(core::SkipReason::kPaused));
  EXPECT_TRUE(skips.contains(core::SkipReason::kMisfireCoalesced));
}

TEST(PlayTest, TouchesNothingThatIsThere) {
  const test::Folder folder;
  const ManualClock now(from_unix_seconds(1'800'000'000));
  Logger log{now, [](std::string_view) {}, {.least = LogLevel::kError}};
  const std::string path = (folder.path() / "real.db").string();
  ASSERT_TRUE(store::open_sqlite({.path = path, .now = [&now] { return now.wall_now(); }}));
  const auto played = play(path, now, log);
  ASSERT_FALSE(played);
  EXPECT_EQ(played.error().code, Errc::kConflict);
}

}  // namespace
}  // namespace belfry::demo
