// Two regions on one database, and what a cut between them does: docs/concepts/regions.md.
#include "base/manual_clock.h"
#include "engine/node.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"
#include "tests/support/handing_out.h"
#include "tests/support/must.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;
using test::must;

class RegionsTest : public testing::Test {
 protected:
  RegionsTest()
      : clock_(from_unix_seconds(1'800'000'000), BootInstant(1h)),
        truth_(must(
            store::open_sqlite({.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
        far_store_(*truth_,
                   [this](std::string_view) {
                     return is_cut_ ? store::Fault::kUnavailable : store::Fault::kNone;
                   }),
        far_(must(truth_->put_region("far"))),
        near_node_(start(*truth_, RegionNo(0), 1)),
        far_node_(start(far_store_, far_, 2)) {}

  std::unique_ptr<Node> start(store::Store& store, RegionNo region, std::uint64_t seed) {
    return std::make_unique<Node>(Node::World{store, clock_, zones_, log_, observer_},
                                  NodeConfig{.region = region}, Rng(seed));
  }

  JobId add_job(const std::string& name, RegionNo region, core::RunIn run_in = core::RunIn::kHome) {
    store::JobStore::NewJob job{.tenant = TenantId(1), .region = region};
    job.definition.name = name;
    job.definition.schedule.cron_expression = "* * * * * *";
    job.definition.policies.overlap = core::OverlapPolicy::kAllow;
    job.definition.policies.run_in = run_in;
    return must(truth_->create_jobs({&job, 1})).at(0).id;
  }

  // What the runner does, in steps; a node that is cut off fails and goes on trying.
  void pass(int seconds) {
    for (int i = 0; i < seconds; ++i) {
      clock_.advance(1s);
      for (Node* node : {near_node_.get(), far_node_.get(), relief_.get()}) {
        if (node == nullptr) continue;
        (void)node->renew();
        for (int round = 0; round < 80; ++round) {
          (void)node->tick();
          (void)node->dispatcher().claim();
          while (node->load(0).value_or(false)) {
          }
        }
      }
    }
  }
  std::size_t claim_in(RegionNo region) {
    return must(test::claim(
                    *truth_,
                    {.job_types = {"default"}, .takers = {{.max_runs = 100}}, .region = region}))
        .size();
  }
  // A worker of this region that asks this node again and again, and counts what it is given.
  void ask(Node& node, RegionNo region, std::map<JobId, int>& had) {
    const Claim wish{.worker = "worker",
                     .job_types = {"default"},
                     .max_runs = 10,
                     .until = clock_.boot_now() + 1h,
                     .region = region};
    must(node.dispatcher().claim(wish, [this, &node, region, &had](const auto& runs) {
      for (const store::ClaimedRun& run : runs) ++had[run.run.job];
      if (!runs.empty()) ask(node, region, had);
      return true;
    }));
  }
  std::size_t runs(JobId job) { return must(truth_->runs_of(job)).size(); }
  // Each tick has one fate: it has a run, or a skip, and none is missing between.
  std::int64_t fates(JobId job) {
    auto sum = static_cast<std::int64_t>(runs(job));
    for (const store::SkipRow& skip : must(truth_->skips_of(job))) sum += skip.count;
    return sum;
  }

  ManualClock clock_;
  std::unique_ptr<store::Store> truth_;
  bool is_cut_ = false;  // the far region from the database
  store::FaultyStore far_store_;
  const RegionNo far_;
  core::ZoneCatalog zones_;
  Logger log_{clock_, [](std::string_view) {}, {}};
  Observer observer_;
  std::unique_ptr<Node> near_node_;
  std::unique_ptr<Node> far_node_;
  std::unique_ptr<Node> relief_;
};

TEST_F(RegionsTest, EachNodeDecidesForItsRegion) {
  pass(2);
  EXPECT_EQ(near_node_->standing().partitions, 256U);
  EXPECT_EQ(far_node_->standing().partitions, 256U);
  const JobId near = add_job("near", RegionNo(0));
  const JobId far = add_job("far", far_);
  pass(10);
  EXPECT_EQ(runs(near), 10U);
  EXPECT_EQ(runs(far), 10U);
  EXPECT_EQ(must(truth_->runs_of(near)).at(5).node, near_node_->self().incarnation);
  EXPECT_EQ(must(truth_->runs_of(far)).at(5).node, far_node_->self().incarnation);
}

TEST_F(RegionsTest, ARegionThatIsCutOffWaitsAndCatchesUp) {
  const JobId near = add_job("near", RegionNo(0));
  const JobId far = add_job("far", far_);
  pass(10);
  is_cut_ = true;
  pass(60);
  EXPECT_EQ(runs(near), 70U);  // the others do not notice
  EXPECT_EQ(runs(far), 10U);   // and do not take over what is not theirs
  EXPECT_EQ(near_node_->standing().partitions, 256U);
  EXPECT_FALSE(far_node_->trusted());
  EXPECT_EQ(far_node_->standing().partitions, 0U);
  is_cut_ = false;
  pass(10);
  EXPECT_TRUE(far_node_->trusted());
  EXPECT_EQ(fates(far), 80);  // the misfire policy has decided on the minute
  EXPECT_LT(runs(far), 40U);
}

TEST_F(RegionsTest, AnyNodeOfTheRegionCanReplaceThoseThatAreCutOff) {
  const JobId far = add_job("far", far_);
  pass(10);
  is_cut_ = true;
  pass(3);
  relief_ = start(*truth_, far_, 3);  // elsewhere, but for this region
  pass(10);
  EXPECT_EQ(relief_->standing().partitions, 256U);
  EXPECT_EQ(fates(far), 23);
  is_cut_ = false;  // the old one comes back, and they share
  pass(20);
  EXPECT_EQ(fates(far), 43);
  EXPECT_EQ(relief_->standing().partitions + far_node_->standing().partitions, 256U);
}

TEST_F(RegionsTest, JobsOfACutOffRegionCanBeChangedAndTriggered) {
  const JobId far = add_job("far", far_);
  pass(10);
  is_cut_ = true;
  pass(10);
  must(truth_->trigger({.job = far, .key = core::RunKey(-1)}));
  EXPECT_EQ(runs(far), 11U);
  EXPECT_EQ(claim_in(RegionNo(0)), 0U);  // they wait for workers of their region
  EXPECT_EQ(claim_in(far_), 11U);        // at whichever node those ask
}

TEST_F(RegionsTest, WorkersGetWhatMayRunInTheirRegion) {
  const JobId near = add_job("near", RegionNo(0));
  const JobId far = add_job("far", far_);
  const JobId any = add_job("any", far_, core::RunIn::kAny);
  std::map<JobId, int> had;
  ask(*near_node_, RegionNo(0), had);
  pass(10);
  EXPECT_EQ(had[near], 10);
  EXPECT_EQ(had[far], 0);
  EXPECT_GE(had[any], 8) << "looked for once a second";
}

TEST_F(RegionsTest, AWorkerMayAskANodeOfAnotherRegion) {
  const JobId near = add_job("near", RegionNo(0));
  const JobId far = add_job("far", far_);
  std::map<JobId, int> had;
  ask(*near_node_, far_, had);
  pass(10);
  EXPECT_EQ(had[near], 0);
  EXPECT_GE(had[far], 8);
}

}  // namespace
}  // namespace belfry::engine
