#include "tests/store/suite.h"

#include <algorithm>
#include <map>
#include <set>

// Whose workers may have a run: those of its job's home region, or any.
namespace belfry::store {
namespace {

using namespace std::chrono_literals;
using core::OverlapPolicy;
using core::RunIn;

class RunInTest : public StoreTest {
 protected:
  RunInTest() : far_(must(store().put_region("far"))) {
    own_everything();
    must(store().renew(node(2, far_), 24h));
    EXPECT_EQ(must(store().acquire(node(2, far_), 256)).size(), 256U);
  }

  JobRow add_in(RegionNo region, RunIn run_in) {
    JobStore::NewJob wanted = new_job("job" + std::to_string(++jobs_), OverlapPolicy::kAllow);
    wanted.region = region;
    wanted.definition.policies.run_in = run_in;
    return add(wanted);
  }
  core::RunRef trigger(const JobRow& job) {
    return must(store().trigger({.job = job.id, .key = core::RunKey(--key_)})).run;
  }
  // Whether the store lets a worker of this region have the run, whatever a book says.
  bool grants(const core::RunRef& run, RegionNo region) {
    const auto granted = must(store().grant({.takers = {{.worker = "w", .region = region}},
                                             .runs = {{.run = run, .tenant = TenantId(1)}}}));
    for (const ClaimedRun& each : granted) {
      const RunGrant grant = grant_of(each);
      must(store().return_runs({&grant, 1}));
    }
    return !granted.empty();
  }
  // What waits, as a worker of this region that owns no partition finds it.
  std::set<core::RunRef> waiting_for(RegionNo region) {
    std::set<core::RunRef> runs;
    for (const core::LiveRun& run :
         must(store().find_waiting({.queues = {"default"}, .region = region, .most = 99}))) {
      runs.insert(run.run);
    }
    return runs;
  }
  // A run of second 60 that is decided while a worker of this region waits.
  DecideResult decide_for(const JobRow& job, RegionNo region) {
    pass(tick(60).instant() - now());
    const std::uint64_t owner = region_of(job.id) == far_ ? 2 : 1;
    const Node who = node(owner, region_of(job.id));
    const auto mine = must(store().renew(who, 24h)).mine;
    const auto found = std::ranges::find(mine, partition_of(job.id), &OwnedPartition::partition);
    PartitionDecision made{.partition = found->partition,
                           .epoch = found->epoch,
                           .version = found->version,
                           .from = found->decided_through,
                           .to = now()};
    const Taker taker{.worker = "waiting", .region = region};
    const std::string queue = "default";
    made.decisions.runs.push_back(
        {.job = job.id, .tick = tick(60), .taker = &taker, .queue = &queue, .claim = 7});
    return must(store().decide(who.incarnation, {&made, 1}));
  }

  const RegionNo near_{0};
  const RegionNo far_;
  int jobs_ = 0;
  std::int64_t key_ = 0;
};

TEST_P(RunInTest, ARunOfARegionIsGrantedThereOnly) {
  const core::RunRef near = trigger(add_in(near_, RunIn::kHome));
  const core::RunRef far = trigger(add_in(far_, RunIn::kHome));
  EXPECT_TRUE(grants(near, near_));
  EXPECT_FALSE(grants(near, far_));
  EXPECT_FALSE(grants(far, near_));
  EXPECT_TRUE(grants(far, far_));
}

TEST_P(RunInTest, OneThatMayRunAnywhereIsGrantedAnywhere) {
  const core::RunRef run = trigger(add_in(far_, RunIn::kAny));
  EXPECT_TRUE(grants(run, near_));
  EXPECT_TRUE(grants(run, far_));
}

TEST_P(RunInTest, OneCallServesWorkersOfSeveralRegions) {
  const core::RunRef near = trigger(add_in(near_, RunIn::kHome));
  const core::RunRef far = trigger(add_in(far_, RunIn::kHome));
  const auto granted = must(
      store().grant({.takers = {{.worker = "n", .region = near_}, {.worker = "f", .region = far_}},
                     .runs = {{.run = near, .tenant = TenantId(1), .taker = 1},
                              {.run = far, .tenant = TenantId(1), .taker = 1}}}));
  ASSERT_EQ(granted.size(), 1U);
  EXPECT_EQ(granted[0].run, far);
}

TEST_P(RunInTest, WhatWaitsElsewhereIsWhatTheWorkerMayHave) {
  const core::RunRef near = trigger(add_in(near_, RunIn::kHome));
  const core::RunRef far = trigger(add_in(far_, RunIn::kHome));
  const core::RunRef any = trigger(add_in(far_, RunIn::kAny));
  EXPECT_EQ(waiting_for(near_), (std::set{near, any}));
  EXPECT_EQ(waiting_for(far_), (std::set{far, any}));
}

// A node that owns all of its region asks for what is left.
TEST_P(RunInTest, WhatWaitsInARegionThatWasAddedIsFoundAfterARenewal) {
  const core::RunRef any = trigger(add_in(far_, RunIn::kAny));
  std::vector<PartitionNo> near;
  for (int i = 0; i < kPartitionCount; ++i) near.emplace_back(static_cast<std::uint16_t>(i));
  must(store().renew(node(1), 24h));
  const auto found =
      must(store().find_waiting({.but = near, .queues = {"default"}, .region = near_, .most = 9}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].run, any);
}

TEST_P(RunInTest, ALiveRunSaysWhereItMayGo) {
  const core::RunRef home = trigger(add_in(far_, RunIn::kHome));
  const core::RunRef any = trigger(add_in(far_, RunIn::kAny));
  EXPECT_EQ(must(store().find_live({&home, 1})).at(0).region, far_);
  EXPECT_EQ(must(store().find_live({&any, 1})).at(0).region, std::nullopt);
}

TEST_P(RunInTest, NothingIsDecidedIntoHandsElsewhere) {
  const JobRow job = add_in(far_, RunIn::kHome);
  const DecideResult result = decide_for(job, near_);
  EXPECT_TRUE(result.granted.empty());
  ASSERT_EQ(result.runs.size(), 1U);
  EXPECT_EQ(result.runs[0].region, far_);
  EXPECT_EQ(must(store().find_run(ref(job.id, 60))).state, core::RunState::kReady);
}

TEST_P(RunInTest, ARunIsDecidedIntoHandsOfItsRegion) {
  EXPECT_EQ(decide_for(add_in(far_, RunIn::kHome), far_).granted.size(), 1U);
}

TEST_P(RunInTest, OneThatMayRunAnywhereIsDecidedIntoAnyHands) {
  const DecideResult result = decide_for(add_in(far_, RunIn::kAny), near_);
  EXPECT_EQ(result.granted.size(), 1U);
  EXPECT_EQ(result.runs.at(0).region, std::nullopt);
}

// Like its type and its target: what waits already goes where it was to go.
TEST_P(RunInTest, AChangeIsForNewRuns) {
  JobRow job = add_in(far_, RunIn::kHome);
  const core::RunRef before = trigger(job);
  job.definition.policies.run_in = RunIn::kAny;
  must(store().change_job({.job = job.id, .definition = job.definition}));
  EXPECT_EQ(must(store().find_job(job.id)).definition.policies.run_in, RunIn::kAny);
  EXPECT_EQ(must(store().revisions_of(job.id, {}, 9)).at(0).policies.run_in, RunIn::kAny);
  EXPECT_FALSE(grants(before, near_));
  EXPECT_TRUE(grants(trigger(job), near_));
}

TEST_P(RunInTest, ARunThatIsRunAgainGoesByTheJobAsItIsNow) {
  JobRow job = add_in(far_, RunIn::kHome);
  const core::RunRef run = trigger(job);
  EXPECT_TRUE(must(store().cancel_run(run)));
  job.definition.policies.run_in = RunIn::kAny;
  must(store().change_job({.job = job.id, .definition = job.definition}));
  must(store().retry_run(run, core::RunKey(-99)));
  EXPECT_TRUE(grants(run, near_));
}

TEST_P(RunInTest, LoadsAreToldByRegion) {
  trigger(add_in(near_, RunIn::kHome));
  trigger(add_in(far_, RunIn::kHome));
  trigger(add_in(far_, RunIn::kHome));
  trigger(add_in(far_, RunIn::kAny));
  std::map<std::string, std::int64_t> waiting;
  for (const QueueLoad& load : must(store().queue_loads())) {
    EXPECT_EQ(load.queue, "default");
    EXPECT_EQ(load.region.has_value(), !load.region_name.empty());
    waiting[load.region_name] += load.waiting;
  }
  EXPECT_EQ(waiting, (std::map<std::string, std::int64_t>{{"", 1}, {"default", 1}, {"far", 2}}));
}

BELFRY_FOR_EACH_STORE(RunInTest);

class OneRegionTest : public StoreTest {};

TEST_P(OneRegionTest, IsNotNamed) {
  must(store().trigger({.job = add_job("a").id, .key = core::RunKey(-1)}));
  const auto loads = must(store().queue_loads());
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].region, RegionNo(0));
  EXPECT_EQ(loads[0].region_name, "");
}

BELFRY_FOR_EACH_STORE(OneRegionTest);

}  // namespace
}  // namespace belfry::store
