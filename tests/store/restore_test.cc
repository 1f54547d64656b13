#include "core/schedule/zone_catalog.h"
#include "engine/restore/restorer.h"
#include "tests/store/suite.h"

namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::MissedTicks;
using core::RunState;
using core::SkipReason;

class RestoreTest : public StoreTest {
 protected:
  // Decided up to kStart + 60 s; then the backup is made, and brought back ten minutes later.
  RestoreTest() : job_(add_job("a")) {
    own_everything();
    decide_runs(job_.id, {60});
  }

  void bring_back() {
    pass(10min);
    must(store().retire(node(1)));
  }
  Result<engine::Restorer::Report> restore(MissedTicks missed) {
    return engine::Restorer(store(), zones_, Incarnation({7, 7})).run(missed);
  }
  Instant decided_through() {
    return must(store().load_partition(partition_of(job_.id))).decided_through;
  }

  const JobRow job_;
  core::ZoneCatalog zones_;
};

TEST_P(RestoreTest, AStoreInUseIsLeftAlone) {
  EXPECT_EQ(code_of(restore(MissedTicks::kSkip)), Errc::kConflict);
  PartitionDecision made = decision(job_.id, now() + 60s);
  pass(60s);
  EXPECT_EQ(decide(made).partitions.at(0).outcome, DecideOutcome::kDecided);
}

TEST_P(RestoreTest, SkippedTicksAreInTheLedger) {
  bring_back();
  const auto report = must(restore(MissedTicks::kSkip));
  EXPECT_EQ(report.runs, 0U);
  EXPECT_EQ(report.skips, 10);
  const auto skips = must(store().skips_of(job_.id));
  ASSERT_EQ(skips.size(), 1U);
  EXPECT_EQ(skips[0].first, tick(120));
  EXPECT_EQ(skips[0].last, tick(660));
  EXPECT_EQ(skips[0].count, 10);
  EXPECT_EQ(skips[0].reason, SkipReason::kRestored);
  EXPECT_EQ(decided_through(), now());
}

TEST_P(RestoreTest, TheLatestOrAllRun) {
  bring_back();
  EXPECT_EQ(must(restore(MissedTicks::kLatest)).runs, 1U);
  EXPECT_EQ(must(store().find_run(ref(job_.id, 660))).state, RunState::kReady);
  EXPECT_EQ(code_of(store().find_run(ref(job_.id, 600))), Errc::kNotFound);
  pass(10min);
  EXPECT_EQ(must(restore(MissedTicks::kAll)).runs, 10U);
  for (int second = 720; second <= 1'260; second += 60) {
    EXPECT_EQ(must(store().find_run(ref(job_.id, second))).scheduled_for, tick(second).instant());
  }
}

TEST_P(RestoreTest, RepeatingDecidesNothingTwice) {
  bring_back();
  must(restore(MissedTicks::kSkip));
  const auto again = must(restore(MissedTicks::kAll));
  EXPECT_EQ(again.runs, 0U);
  EXPECT_EQ(again.skips, 0);
}

TEST_P(RestoreTest, WhatWasPromisedBeforeIsVoid) {
  const ClaimedRun held = claim(1).at(0);
  PartitionDecision made = decision(job_.id, now() + 60s);
  bring_back();
  must(restore(MissedTicks::kSkip));
  // An owner of before decides nothing, whoever owns now.
  EXPECT_EQ(decide(made).partitions.at(0).outcome, DecideOutcome::kDeposed);
  // Who held a run is told so, the attempt is over, and the next fence is far beyond.
  EXPECT_EQ(beat(grant_of(held), 30s), HeartbeatAnswer::kFenced);
  EXPECT_FALSE(end(success(grant_of(held))));
  EXPECT_LE(must(store().find_run(held.run)).lease_until, now());
  must(store().renew(node(2), 24h));
  EXPECT_EQ(must(store().acquire(node(2), 256)).size(), 256U);
  AttemptEnd lost = failure({held.run, must(store().find_run(held.run)).fence}, {});
  lost.outcome = core::AttemptOutcome::kLeaseLost;
  lost.only_if_expired = true;
  EXPECT_TRUE(end(lost));
  const ClaimedRun next = claim(1).at(0);
  EXPECT_EQ(next.run, held.run);
  EXPECT_GT(next.fence.value(), held.fence.value() + 1'000'000'000);
  EXPECT_TRUE(must(store().lead(node(2), 1min)) > 0);
  EXPECT_GT(add_job("b").id.value() >> 16, (job_.id.value() >> 16) + 1'000'000);
}

BELFRY_FOR_EACH_STORE(RestoreTest);

}  // namespace
}  // namespace belfry::store
