#include "tests/store/suite.h"

#include <algorithm>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::RunKey;

class HintsTest : public StoreTest {
 protected:
  HintsTest() { own_everything(); }

  Hints hints() { return must(store().await_hints(0s)); }
};

TEST_P(HintsTest, NothingDoneIsNothingHinted) {
  EXPECT_TRUE(hints().empty());
}

TEST_P(HintsTest, ChangesOfJobsAreHinted) {
  const JobRow a = add_job("a");
  const JobRow b = add_job("b");
  std::vector<PartitionNo> both{partition_of(a.id), partition_of(b.id)};
  std::sort(both.begin(), both.end());
  EXPECT_EQ(hints().changed, both);
  EXPECT_TRUE(hints().empty());
  must(store().change_job({.job = a.id, .status = core::JobStatus::kPaused}));
  EXPECT_EQ(hints().changed, std::vector{partition_of(a.id)});
  // What does not touch the ticks is no concern of the owner.
  must(store().change_job({.job = b.id, .definition = b.definition, .reschedules = false}));
  EXPECT_EQ(hints(), (Hints{.events = true}));
}

TEST_P(HintsTest, WhoDecidesKnowsTheRuns) {
  const JobRow job = add_job("a");
  hints();
  decide_runs(job.id, {60});
  EXPECT_EQ(hints(), (Hints{.events = true}));
}

TEST_P(HintsTest, RunsThatWaitUnawaitedAreNamed) {
  const JobRow job = add_job("a");
  decide_runs(job.id, {60});
  hints();
  must(store().trigger({.job = job.id, .key = RunKey(-7)}));
  EXPECT_EQ(hints(), (Hints{.touched = {{job.id, RunKey(-7)}}, .events = true}));
  const std::vector touched{ref(job.id, 60)};
  store().touch(touched);
  EXPECT_EQ(hints(), (Hints{.touched = touched}));
}

TEST_P(HintsTest, TooManyRunsAreNamedByTheirPartition) {
  const JobRow job = add_job("a");
  pass(2'000min);
  hints();
  RunStore::Backfill backfill{.job = job.id};
  for (int i = 1; i <= 1'001; ++i) backfill.ticks.push_back({.tick = tick(60 * -i)});
  std::ranges::reverse(backfill.ticks);
  must(store().backfill(backfill));
  EXPECT_EQ(hints().crowded, std::vector{partition_of(job.id)});
}

TEST_P(HintsTest, AWaitCanBeEnded) {
  store().interrupt_hints();
  EXPECT_TRUE(must(store().await_hints(24h)).empty());
}

BELFRY_FOR_EACH_STORE(HintsTest);

}  // namespace
}  // namespace belfry::store
