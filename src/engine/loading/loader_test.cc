#include "engine/loading/loader.h"

#include "base/manual_clock.h"
#include "core/schedule/zone_catalog.h"
#include "engine/dispatch/claims.h"
#include "engine/ticks/ticker.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"

#include <gtest/gtest.h>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);

class LoaderTest : public testing::Test {
 protected:
  LoaderTest()
      : truth_(std::move(*store::open_sqlite(
            {.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
        store_(*truth_, [this](std::string_view name) {
          calls_ += name == "load_brief" ? 1U : 0U;
          whole_ += name == "load_partition" ? 1U : 0U;
          return is_cut_ ? store::Fault::kUnavailable : store::Fault::kNone;
        }) {}

  store::JobRow add(const std::string& name, const std::string& cron) {
    store::JobStore::NewJob job{.tenant = TenantId(1), .region = RegionNo(0)};
    job.definition.name = name;
    job.definition.schedule.cron_expression = cron;
    job.definition.policies.overlap = core::OverlapPolicy::kAllow;
    return truth_->create_jobs({&job, 1})->at(0);
  }
  void read_all() {
    while (loader_.run_once(reader_).value_or(false)) {
    }
  }
  static std::vector<PartitionNo> partitions(std::uint16_t begin, std::uint16_t end) {
    std::vector<PartitionNo> list;
    for (std::uint16_t i = begin; i < end; ++i) list.emplace_back(i);
    return list;
  }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> truth_;
  std::size_t calls_ = 0;
  std::size_t whole_ = 0;
  bool is_cut_ = false;
  store::FaultyStore store_;
  core::ZoneCatalog zones_;
  PartitionReader reader_{store_, zones_};
  Loader loader_;
};

TEST_F(LoaderTest, WhatIsNeededComesBeforeWhatIsPlanned) {
  loader_.plan(partitions(0, 2));
  loader_.need(partitions(7, 8));
  EXPECT_TRUE(*loader_.run_once(reader_));
  EXPECT_TRUE(loader_.has_needed());
  EXPECT_TRUE(loader_.ready().empty());
  read_all();
  EXPECT_EQ(loader_.ready(), partitions(0, 2));
  EXPECT_TRUE(loader_.fetch(PartitionNo(7)));
  EXPECT_FALSE(loader_.fetch(PartitionNo(7)));
}

TEST_F(LoaderTest, DoesNotReadAheadOfATickerThatCannotKeepUp) {
  loader_.need(partitions(0, 100));
  read_all();
  EXPECT_EQ(calls_, Loader::kMostWaiting);
  std::size_t rings = 0;
  loader_.on_work([&] { ++rings; });
  EXPECT_TRUE(loader_.fetch(PartitionNo(0)));
  EXPECT_EQ(rings, 1U);
  read_all();
  EXPECT_EQ(calls_, Loader::kMostWaiting + 1);
}

TEST_F(LoaderTest, ForgetsWhatNobodyWantsAnyMore) {
  loader_.plan(partitions(0, 4));
  read_all();
  loader_.plan(partitions(2, 4));
  EXPECT_FALSE(loader_.fetch(PartitionNo(0)));
  EXPECT_TRUE(loader_.fetch(PartitionNo(2)));
}

TEST_F(LoaderTest, AFailedReadIsRepeated) {
  loader_.need(partitions(0, 1));
  is_cut_ = true;
  EXPECT_FALSE(loader_.run_once(reader_));
  EXPECT_TRUE(loader_.has_work());
  is_cut_ = false;
  EXPECT_TRUE(*loader_.run_once(reader_));
}

TEST_F(LoaderTest, JobsWithTheSameTermsAreOneGroup) {
  std::map<PartitionNo, std::size_t> jobs;
  for (int i = 0; i < 300; ++i) ++jobs[partition_of(add(std::to_string(i), "* * * * *").id)];
  clock_.advance(1min);
  for (const auto& [partition, count] : jobs) {
    const auto loaded = reader_.read(partition);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->size(), count);
    EXPECT_TRUE(loaded->whole.empty());
  }
  EXPECT_EQ(whole_, 0U);
}

// The row that stands for its terms may change before it is read: nothing is taken for granted.
TEST_F(LoaderTest, ADefinitionThatChangesWhileItIsReadIsReadWhole) {
  const store::JobRow job = add("a", "* * * * *");
  store::FaultyStore racing(*truth_, [&](std::string_view name) {
    if (name != "load_jobs") return store::Fault::kNone;
    core::JobDefinition other = job.definition;
    other.schedule.cron_expression = "0 * * * *";
    EXPECT_TRUE(truth_->change_job({.job = job.id, .definition = other}));
    return store::Fault::kNone;
  });
  PartitionReader reader(racing, zones_);
  const auto loaded = reader.read(partition_of(job.id));
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->whole.size(), 1U);
  EXPECT_EQ(loaded->whole.at(0).definition.schedule.cron_expression, "0 * * * *");
  EXPECT_EQ(loaded->size(), 1U);
}

// Load before you own: what happens between the two must not be lost.
class PreloadTest : public LoaderTest {
 protected:
  const store::OwnershipStore::Node node_{Incarnation({1, 1}), "node", RegionNo(0)};
  Logger log_{clock_, [](std::string_view) {}, {.least = LogLevel::kError}};
  Observer observer_;
  LiveRuns live_{{store_, store_}, [this] { return clock_.wall_now(); }, Rng(1)};
  Claims claims_{store_, live_, observer_};
  Ticker ticker_{
      {store_, zones_, log_, observer_, live_, claims_}, node_.incarnation, {.is_brought = true}};

  store::OwnedPartition own(PartitionNo partition) {
    EXPECT_TRUE(truth_->renew(node_, 1h));
    const auto holders = truth_->holders(RegionNo(0));
    const std::vector<store::OwnershipStore::Holding> wanted{
        {partition, holders->holders.at(partition.value()).epoch}};
    return truth_->take(node_, wanted)->at(0);
  }
  // Seconds after the start whose ticks have runs.
  std::vector<std::int64_t> runs_of(JobId job) {
    std::vector<std::int64_t> seconds;
    const auto runs = truth_->runs_of(job);
    for (const store::RunRow& run : *runs) {
      seconds.push_back((run.scheduled_for - kStart) / 1s);
    }
    return seconds;
  }
  void tick() {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(ticker_.run_once(clock_.wall_now()));
  }
};

TEST_F(PreloadTest, WhatChangedBetweenLoadingAndTakingCounts) {
  const store::JobRow job = add("a", "*/10 * * * * *");
  const PartitionNo partition = partition_of(job.id);
  clock_.advance(1s);
  auto loaded = reader_.read(partition);
  clock_.advance(10s);  // the tick at 10 is the old definition's, and the change settles it
  core::JobDefinition other = job.definition;
  other.schedule.cron_expression = "5-59/10 * * * * *";
  EXPECT_TRUE(truth_->change_job({.job = job.id, .definition = other}));
  clock_.advance(1s);
  ticker_.gain(own(partition));
  ticker_.bring(*std::move(loaded));
  for (int i = 0; i < 3; ++i, clock_.advance(5s)) tick();
  EXPECT_EQ(runs_of(job.id), (std::vector<std::int64_t>{10, 15}));
}

TEST_F(PreloadTest, WhatWasDecidedBetweenLoadingAndTakingIsNotDecidedAgain) {
  const store::JobRow job = add("a", "*/10 * * * * *");
  const PartitionNo partition = partition_of(job.id);
  auto loaded = reader_.read(partition);
  const store::OwnershipStore::Node before{Incarnation({1, 2}), "before", RegionNo(0)};
  Ticker old({store_, zones_, log_, observer_, live_, claims_}, before.incarnation);
  EXPECT_TRUE(truth_->renew(before, 1h));
  const auto holders = truth_->holders(RegionNo(0));
  const std::vector<store::OwnershipStore::Holding> wanted{{partition, Epoch(0)}};
  old.gain(truth_->take(before, wanted)->at(0));
  clock_.advance(11s);
  EXPECT_TRUE(old.run_once(clock_.wall_now()));
  ticker_.gain(own(partition));
  ticker_.bring(*std::move(loaded));
  tick();
  clock_.advance(9s);
  EXPECT_TRUE(old.run_once(clock_.wall_now()));  // deposed
  tick();
  EXPECT_EQ(runs_of(job.id), (std::vector<std::int64_t>{10, 20}));
}

// A node that starts after the database's clock was set back finds cursors ahead of it.
TEST_F(PreloadTest, ACursorAheadOfTheClockStaysWhereItIs) {
  const store::JobRow job = add("a", "*/2 * * * * *");
  const PartitionNo partition = partition_of(job.id);
  clock_.advance(9s);
  ticker_.gain(own(partition));
  ticker_.bring(*reader_.read(partition));
  tick();  // through 8
  ASSERT_EQ(runs_of(job.id).size(), 4U);
  Ticker next({store_, zones_, log_, observer_, live_, claims_}, node_.incarnation);
  next.gain(own(partition));
  for (int second = 2; second <= 11; ++second) {
    clock_.set_wall(kStart + std::chrono::seconds(second));
    EXPECT_TRUE(next.run_once(clock_.wall_now()));
    EXPECT_GE(truth_->load_brief(partition)->decided_through, kStart + 9s);
  }
  EXPECT_EQ(runs_of(job.id), (std::vector<std::int64_t>{2, 4, 6, 8, 10}));
}

TEST_F(PreloadTest, WhatWasLoadedInAnotherEraIsLoadedAgain) {
  const store::JobRow job = add("a", "*/10 * * * * *");
  const PartitionNo partition = partition_of(job.id);
  auto loaded = reader_.read(partition);
  loaded->era = store::Era(7);
  ticker_.gain(own(partition));
  ticker_.bring(*std::move(loaded));
  tick();
  EXPECT_EQ(ticker_.unloaded(), std::vector{partition});
  EXPECT_EQ(ticker_.jobs(), 0U);
  ticker_.bring(*reader_.read(partition));
  tick();
  EXPECT_EQ(ticker_.jobs(), 1U);
}

TEST_F(PreloadTest, AnInstantThatPassesBetweenLoadingAndTakingIsDecided) {
  store::JobStore::NewJob once{.tenant = TenantId(1), .region = RegionNo(0)};
  once.definition.name = "once";
  once.definition.schedule = {.type = core::ScheduleSpec::Type::kOnce, .run_at = kStart + 5s};
  const JobId job = truth_->create_jobs({&once, 1})->at(0).id;
  auto loaded = reader_.read(partition_of(job));
  ASSERT_EQ(loaded->once.size(), 1U);
  clock_.advance(8s);
  ticker_.gain(own(partition_of(job)));
  ticker_.bring(*std::move(loaded));
  tick();
  EXPECT_EQ(runs_of(job), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(truth_->find_job(job)->status, core::JobStatus::kCompleted);
}

}  // namespace
}  // namespace belfry::engine
