#include "engine/ticks/tick_watch.h"

#include "base/manual_clock.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"

#include <gtest/gtest.h>

#include <memory>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);

class TickWatchTest : public testing::Test {
 protected:
  TickWatchTest()
      : truth_(std::move(*store::open_sqlite(
            {.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
        store_(*truth_, [this](std::string_view name) {
          reads_ += name == "load_brief" ? 1U : 0U;
          return store::Fault::kNone;
        }) {
    EXPECT_TRUE(truth_->renew(other_, 5s));
    EXPECT_EQ(truth_->acquire(other_, 256)->size(), 256U);
  }

  store::JobRow add(Duration every) {
    store::JobStore::NewJob job{.tenant = TenantId(1)};
    job.definition.name = "job";
    job.definition.schedule.type = core::ScheduleSpec::Type::kEvery;
    job.definition.schedule.every = every;
    return truth_->create_jobs({&job, 1})->at(0);
  }
  TickWatch::Report look(const Incarnation& self = Incarnation({9, 9})) {
    return *watch_.look(*truth_->overview(), self, 1s);
  }
  void keep_alive() { EXPECT_TRUE(truth_->renew(other_, 5s)); }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> truth_;
  std::size_t reads_ = 0;
  store::FaultyStore store_;
  core::ZoneCatalog zones_;
  const store::OwnershipStore::Node other_{Incarnation({1, 1}), "other", RegionNo(0)};
  TickWatch watch_{{store_, zones_, clock_}};
};

TEST_F(TickWatchTest, ARestingCursorIsNotLate) {
  add(24h);
  clock_.advance(10min);
  keep_alive();
  const auto report = look();
  EXPECT_FALSE(report.owned);
  EXPECT_FALSE(report.orphaned);
  EXPECT_TRUE(report.complete);
}

TEST_F(TickWatchTest, EachPartitionIsReadOnceWhileItsCursorRests) {
  add(24h);
  clock_.advance(10min);
  keep_alive();
  look();
  EXPECT_EQ(reads_, 256U);
  clock_.advance(1h);
  keep_alive();
  look();
  EXPECT_EQ(reads_, 256U);
}

TEST_F(TickWatchTest, SeesATickThatALivingOwnerDoesNotDecide) {
  const auto job = add(10s);
  clock_.advance(1min);
  keep_alive();
  const auto report = look();
  ASSERT_TRUE(report.owned);
  EXPECT_EQ(report.owned->tick, kStart + 10s);
  EXPECT_EQ(report.owned->partition, partition_of(job.id));
  EXPECT_FALSE(report.orphaned);
}

TEST_F(TickWatchTest, SeesTicksOfPartitionsThatNobodyOwns) {
  add(10s);
  clock_.advance(1min);  // the owner's lease is over
  const auto report = look();
  ASSERT_TRUE(report.orphaned);
  EXPECT_EQ(report.orphaned->tick, kStart + 10s);
  EXPECT_FALSE(report.owned);
}

TEST_F(TickWatchTest, LeavesOutWhatTheAskingNodeOwns) {
  add(10s);
  clock_.advance(1min);
  keep_alive();
  EXPECT_FALSE(look(other_.incarnation).owned);
  EXPECT_EQ(reads_, 0U);
}

TEST_F(TickWatchTest, PausedJobsHaveTicksToo) {
  const auto job = add(10s);
  ASSERT_TRUE(truth_->change_job({.job = job.id, .status = core::JobStatus::kPaused}));
  clock_.advance(1min);
  EXPECT_TRUE(look().orphaned);
}

TEST_F(TickWatchTest, GoesOnWhereItsPatienceEnded) {
  add(10s);
  clock_.advance(1min);
  EXPECT_FALSE(watch_.look(*truth_->overview(), Incarnation({9, 9}), 0s)->complete);
  EXPECT_EQ(reads_, 0U);
  EXPECT_TRUE(look().orphaned);
}

}  // namespace
}  // namespace belfry::engine
