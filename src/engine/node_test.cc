#include "engine/node.h"

#include "base/manual_clock.h"
#include "store/sqlite/sqlite_store.h"
#include "store/wrappers/faulty_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace belfry::engine {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart = from_unix_seconds(1'800'000'000);

// Nodes of one region, driven step by step.
class NodeTest : public testing::Test {
 protected:
  NodeTest()
      : truth_(std::move(*store::open_sqlite(
            {.path = ":memory:", .now = [this] { return clock_.wall_now(); }}))),
        store_(*truth_, [this](std::string_view name) {
          loads_ += name == "load_brief" ? 1U : 0U;
          if (name == "decide" && !decides_) return store::Fault::kUnavailable;
          return is_down_ ? store::Fault::kUnavailable : store::Fault::kNone;
        }) {}

  std::unique_ptr<Node> start(std::uint64_t seed) {
    return std::make_unique<Node>(Node::World{store_, clock_, zones_, log_, observer_},
                                  NodeConfig{}, Rng(seed));
  }
  static void load(Node& node) {
    while (node.load(0).value_or(false)) {
    }
  }
  // Until nothing is left to do at this moment.
  static void settle(Node& node) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(node.renew());
      EXPECT_TRUE(node.tick());
      load(node);
    }
  }
  std::size_t owned(const Node& node) {
    const auto holders = truth_->holders(RegionNo(0));
    return static_cast<std::size_t>(
        std::ranges::count(holders->holders, node.self().incarnation,
                           [](const auto& holder) { return holder.owner; }));
  }

  ManualClock clock_{kStart};
  std::unique_ptr<store::Store> truth_;
  std::size_t loads_ = 0;
  bool is_down_ = false;
  bool decides_ = true;
  store::FaultyStore store_;
  core::ZoneCatalog zones_;
  Logger log_{clock_, [](std::string_view) {}, {.least = LogLevel::kError}};
  Observer observer_;
};

TEST_F(NodeTest, IsReadyWhenItsShareIsLoadedAndStaysSo) {
  const auto node = start(1);
  EXPECT_EQ(node->standing().waits_for(), "its share of the partitions");
  ASSERT_TRUE(node->renew());
  ASSERT_TRUE(node->tick());
  EXPECT_EQ(node->standing().waits_for(), "the jobs of 256 of 256 partitions");
  load(*node);
  ASSERT_TRUE(node->tick());
  EXPECT_EQ(node->standing().waits_for(), "the jobs of 252 of 256 partitions");
  settle(*node);
  EXPECT_EQ(node->standing().waits_for(), "");
  clock_.advance(1h);  // it doubts its lease, and has to load everything anew
  ASSERT_TRUE(node->tick());
  ASSERT_TRUE(node->renew());
  EXPECT_EQ(node->standing().waits_for(), "");
}

TEST_F(NodeTest, ANewcomerTakesWhatItHasLoaded) {
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  ASSERT_TRUE(second->renew());
  ASSERT_TRUE(second->tick());
  ASSERT_TRUE(second->renew());
  EXPECT_EQ(owned(*second), 0U);
  EXPECT_EQ(second->standing().waits_for(), "the jobs of 128 of 128 partitions");
  ASSERT_TRUE(second->load(0));
  EXPECT_FALSE(second->has_loaded());  // one is not worth a look, unless it is the last
  load(*second);
  EXPECT_TRUE(second->has_loaded());
  ASSERT_TRUE(second->renew());
  EXPECT_EQ(owned(*second), 4U);
  ASSERT_TRUE(second->renew());  // before those tick, it takes no more
  EXPECT_EQ(owned(*second), 4U);
  EXPECT_FALSE(second->has_loaded());
  ASSERT_TRUE(second->tick());
  EXPECT_TRUE(second->has_loaded());
  settle(*second);
  EXPECT_EQ(owned(*second), 128U);
  EXPECT_EQ(owned(*first), 128U);
  EXPECT_EQ(second->standing().waits_for(), "");
  settle(*first);
  EXPECT_EQ(first->standing().partitions, 128U);
  EXPECT_EQ(loads_, 256U + 128U);  // each was read once by each owner
}

TEST_F(NodeTest, WhoRetiresIsRelievedByThoseWhoHaveLoaded) {
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  settle(*second);
  settle(*first);
  EXPECT_TRUE(*first->retire(20s));
  ASSERT_TRUE(second->renew());
  EXPECT_EQ(owned(*first), 128U);
  EXPECT_TRUE(*first->is_awaited());
  clock_.advance(6s);  // longer than its lease would have been
  ASSERT_TRUE(first->tick());
  EXPECT_TRUE(first->trusted());
  settle(*second);
  EXPECT_EQ(owned(*second), 256U);
  EXPECT_FALSE(*first->is_awaited());
}

TEST_F(NodeTest, NobodyIsAwaitedWhereNobodyIsLeft) {
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  settle(*second);
  settle(*first);
  EXPECT_TRUE(*first->retire(20s));
  EXPECT_TRUE(*second->retire(20s));
  EXPECT_FALSE(*first->is_awaited());
}

TEST_F(NodeTest, TheJobsOfASilentNodeAreLoadedBeforeItsLeaseIsOver) {
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  settle(*second);
  settle(*first);
  clock_.advance(1s);
  ASSERT_TRUE(second->renew());
  EXPECT_FALSE(second->renew_at());
  clock_.advance(1500ms);
  ASSERT_TRUE(second->renew());
  const std::size_t before = loads_;
  load(*second);
  EXPECT_EQ(loads_, before + 128);
  EXPECT_EQ(owned(*first), 128U);
  const auto look = second->renew_at();
  ASSERT_TRUE(look);
  EXPECT_LE(*look - second->boot_now(), 2600ms);
  clock_.advance(*look - second->boot_now());
  ASSERT_TRUE(second->renew());
  EXPECT_EQ(owned(*second), 256U);
  settle(*second);
  EXPECT_EQ(loads_, before + 128);  // what was read in advance was used
}

TEST_F(NodeTest, ANodeThatComesBackInTimeLosesNothing) {
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  settle(*second);
  settle(*first);
  clock_.advance(2500ms);
  ASSERT_TRUE(second->renew());
  load(*second);
  ASSERT_TRUE(first->renew());
  ASSERT_TRUE(second->renew());
  clock_.advance(1s);
  ASSERT_TRUE(second->renew());
  EXPECT_EQ(owned(*first), 128U);
  EXPECT_TRUE(second->loader().ready().empty());  // and what was read is forgotten
}

// ---- How late the oldest undecided tick is (issue 14, 6)

class UndecidedTest : public NodeTest {
 protected:
  void add_every(Duration every) {
    store::JobStore::NewJob job{.tenant = TenantId(1)};
    job.definition.name = "job " + std::to_string(++jobs_);
    job.definition.schedule.type = core::ScheduleSpec::Type::kEvery;
    job.definition.schedule.every = every;
    ASSERT_TRUE(truth_->create_jobs({&job, 1}));
  }
  Duration behind(const Node& node) {
    const auto first = node.standing().first_undecided;
    return first ? std::max(clock_.wall_now() - *first, Duration(0)) : Duration(0);
  }
  int jobs_ = 0;
  // Time passes, as for a node with its threads.
  void pass(Node& node, Duration time) {
    for (Duration left = time; left > Duration(0); left -= 500ms) {
      clock_.advance(500ms);
      (void)node.renew();
      (void)node.tick();
      (void)node.load(0);
    }
  }
};

// Its lease lapsed and came back before its ticker looked. What others have taken meanwhile must
// go all the same: after a failover it could never be loaded, and would keep the rest waiting.
TEST_F(UndecidedTest, WhatIsLostInADoubtThatNobodySawIsGivenUp) {
  for (int i = 0; i < 40; ++i) add_every(24h);
  const auto first = start(1);
  settle(*first);
  EXPECT_EQ(first->standing().jobs, 40U);
  clock_.advance(5s);  // frozen for as long as the lease, but not so long that its ticks are late
  const auto second = start(2);
  settle(*second);
  EXPECT_EQ(owned(*second), 256U);
  ASSERT_TRUE(first->renew());
  ASSERT_TRUE(first->tick());
  EXPECT_EQ(first->standing().jobs, 0U);
}

TEST_F(UndecidedTest, IsNothingOnAnIdleNode) {
  add_every(24h);
  const auto node = start(1);
  settle(*node);
  pass(*node, 20min);
  EXPECT_EQ(behind(*node), 0s);
}

TEST_F(UndecidedTest, GrowsThroughAnOutageUntilTicksAreDecidedAgain) {
  add_every(10s);
  const auto node = start(1);
  settle(*node);
  pass(*node, 1min);
  EXPECT_LT(behind(*node), 1s);
  is_down_ = true;
  pass(*node, 12s);  // the node has stopped trusting its lease
  EXPECT_GE(behind(*node), 2s);
  pass(*node, 1min);
  EXPECT_GE(behind(*node), 1min);
  EXPECT_LE(behind(*node), 72s);
  EXPECT_EQ(node->standing().refusal->code, Errc::kUnavailable);
  is_down_ = false;
  ASSERT_TRUE(node->renew());
  ASSERT_TRUE(node->tick());
  EXPECT_GE(behind(*node), 1min) << "its jobs are not loaded yet";
  settle(*node);
  EXPECT_EQ(behind(*node), 0s);
  EXPECT_FALSE(node->standing().refusal);
}

// Its lease lapsed and came back before its ticker looked, and the store went away before its jobs
// were loaded again.
TEST_F(UndecidedTest, GrowsThroughAnOutageRightAfterADoubtThatNobodySaw) {
  add_every(10s);
  const auto node = start(1);
  settle(*node);
  pass(*node, 1min);
  clock_.advance(5s);
  ASSERT_TRUE(node->renew());
  ASSERT_TRUE(node->tick());
  EXPECT_EQ(node->standing().jobs, 0U);
  is_down_ = true;
  pass(*node, 1min);
  EXPECT_GE(behind(*node), 45s);
  is_down_ = false;
  settle(*node);
  EXPECT_EQ(behind(*node), 0s);
}

TEST_F(UndecidedTest, GrowsWhereRenewalsSucceedAndDecisionsDoNot) {
  add_every(10s);
  const auto node = start(1);
  settle(*node);
  decides_ = false;
  pass(*node, 2min);
  EXPECT_TRUE(node->trusted());
  EXPECT_GE(behind(*node), 105s);
  decides_ = true;
  settle(*node);
  EXPECT_EQ(behind(*node), 0s);
}

TEST_F(UndecidedTest, IsForgottenWhereSomebodyElseHasTakenOver) {
  for (int i = 0; i < 32; ++i) add_every(10s);  // so that each node has some
  const auto first = start(1);
  settle(*first);
  const auto second = start(2);
  settle(*second);
  settle(*first);
  clock_.advance(15s);  // the first is frozen
  settle(*second);
  ASSERT_TRUE(first->tick());
  EXPECT_GT(behind(*first), 0s);
  settle(*first);
  settle(*second);
  EXPECT_EQ(behind(*first), 0s);
}

// A store that says once that a standby took over, which lacks the node's last renewal.
class LossyStore : public store::FaultyStore {
 public:
  using FaultyStore::FaultyStore;

  Result<Membership> renew(const Node& node, Duration ttl) override {
    auto answer = FaultyStore::renew(node, ttl);
    if (answer && is_promoted) {
      answer->era = store::Era(1);
      answer->lease_before = *answer->lease_before - 1s;
    }
    return answer;
  }

  bool is_promoted = false;
};

class LostCommitsNodeTest : public NodeTest {
 protected:
  struct Told : Observer {
    void lost_commits(const LostCommits& lost) override { losses.push_back(lost); }
    std::vector<LostCommits> losses;
  };

  // Decides three ticks, of which two may have been decided before the loss; the job.
  JobId lose(AfterLostCommits policy) {
    const auto node = std::make_unique<Node>(Node::World{lossy_, clock_, zones_, log_, told_},
                                             NodeConfig{.after_lost_commits = policy}, Rng(1));
    store::JobStore::NewJob job{.tenant = TenantId(1)};
    job.definition.name = "job";
    job.definition.schedule.type = core::ScheduleSpec::Type::kEvery;
    job.definition.schedule.every = 1s;
    job.definition.policies.overlap = core::OverlapPolicy::kAllow;
    const JobId id = truth_->create_jobs({&job, 1})->at(0).id;
    settle(*node);
    clock_.advance(3s);
    lossy_.is_promoted = true;
    EXPECT_TRUE(node->renew());
    EXPECT_TRUE(node->tick());
    EXPECT_EQ(node->standing().lost_commits.has_value(), !told_.losses.empty());
    return id;
  }

  LossyStore lossy_{*truth_, [](std::string_view) { return store::Fault::kNone; }};
  Told told_;
};

TEST_F(LostCommitsNodeTest, AreToldAndTheirTicksRunAgain) {
  const JobId job = lose(AfterLostCommits::kRun);
  ASSERT_EQ(told_.losses.size(), 1U);
  EXPECT_EQ(told_.losses[0].through, kStart + 2s);
  EXPECT_EQ(truth_->runs_of(job)->size(), 3U);
  EXPECT_TRUE(truth_->skips_of(job)->empty());
}

TEST_F(LostCommitsNodeTest, TicksThatMayHaveRunAreSkippedWhereThatIsAskedFor) {
  const JobId job = lose(AfterLostCommits::kSkip);
  const auto runs = *truth_->runs_of(job);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].scheduled_for, kStart + 3s);
  std::int64_t skipped = 0;
  const auto skips = *truth_->skips_of(job);
  for (const auto& skip : skips) {
    EXPECT_EQ(skip.reason, core::SkipReason::kCommitsLost);
    skipped += skip.count;
  }
  EXPECT_EQ(skipped, 2);
}

}  // namespace
}  // namespace belfry::engine
