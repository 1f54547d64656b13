#include "core/queue.h"
#include "service/health/health_facts.h"
#include "store/full_disk.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace belfry::service {
namespace {

using namespace std::chrono_literals;
using Codes = std::vector<std::string>;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);
constexpr TenantId kTenant{7};

// A node that owns everything and has nothing to complain of.
class TroublesTest : public testing::Test {
 protected:
  TroublesTest() {
    facts_.now = kNow;
    facts_.node.name = "n1";
    facts_.node.unheard_for = 400ms;
    facts_.node.first_undecided = kNow + 1h;
    facts_.node.clock_offset = 3ms;
    ClusterFacts cluster;
    cluster.overview.now = kNow;
    cluster.overview.nodes.push_back({.incarnation = kMe, .name = "n1", .lease_until = kNow + 4s});
    for (std::uint16_t i = 0; i < 256; ++i) {
      cluster.overview.partitions.push_back(
          {.partition = PartitionNo(i), .owner = kMe, .decided_through = kNow - 10min});
    }
    facts_.cluster = cluster;
  }
  Codes codes() const {
    Codes codes;
    for (const Trouble& trouble : find_troubles(facts_)) codes.emplace_back(name_of(trouble.code));
    return codes;
  }
  Trouble only() const {
    const auto troubles = find_troubles(facts_);
    EXPECT_EQ(troubles.size(), 1U);
    return troubles.empty() ? Trouble{} : troubles.front();
  }
  void wait_in(const std::string& queue, Duration time, std::int64_t held = 0) {
    store::QueueLoad load{.queue = queue, .tenant = kTenant, .waiting = 2};
    load.waiting_since = kNow - time;
    load.held = held;
    if (held > 0) load.held_since = kNow - 1h;
    facts_.cluster->queues.push_back(load);
  }

  const Incarnation kMe{{1, 1}};
  const Incarnation kOther{{2, 2}};
  HealthFacts facts_;
};

TEST_F(TroublesTest, HealthyAndIdleMeansSilent) {
  EXPECT_EQ(codes(), Codes{});  // although every cursor has rested for ten minutes
}

TEST_F(TroublesTest, HealthyAndBusyMeansSilent) {
  wait_in("mail", 500ms, 40);
  facts_.node.first_undecided = kNow - 20ms;
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(TroublesTest, NobodyAsksForAQueue) {
  wait_in("mail", 5s);
  EXPECT_EQ(codes(), Codes{});  // a worker may be restarting
  facts_.cluster->queues.clear();
  wait_in("mail", 1min);
  const Trouble trouble = only();
  EXPECT_EQ(trouble.code, TroubleCode::kNoWorker);
  EXPECT_EQ(trouble.subject, "mail");
  EXPECT_EQ(trouble.tenant, kTenant);
  EXPECT_EQ(trouble.since, kNow - 1min);
  EXPECT_EQ(trouble.remedy, "start a worker of type `mail`");
  facts_.node.served.insert({"mail", TenantId(8)});  // another tenant's worker is none of ours
  EXPECT_EQ(codes(), Codes{"no_worker"});
  facts_.node.served.insert({"mail", kTenant});
  EXPECT_EQ(codes(), Codes{"workers_busy"});
}

TEST_F(TroublesTest, WhatWaitedAMomentWhenTheStoreWentAwayIsNotForWantOfWorkers) {
  wait_in("mail", 500ms);
  facts_.now = kNow + 5min;
  for (const std::string& code : codes()) EXPECT_NE(code, "no_worker");
  wait_in("report", 1min);
  EXPECT_TRUE(trouble_of_queue(find_troubles(facts_), "report", kTenant));
}

TEST_F(TroublesTest, AllWorkersAreBusy) {
  wait_in("mail", 1min, 3);
  EXPECT_EQ(only().code, TroubleCode::kWorkersBusy);
  EXPECT_NE(only().sentence.find("3 runs are in workers' hands"), std::string::npos);
}

TEST_F(TroublesTest, BrokersThatAreUnknownOrAway) {
  wait_in(core::topic_queue("orders"), 1min);
  EXPECT_EQ(only().code, TroubleCode::kBrokerUnknown);
  facts_.node.brokers.push_back({.name = "orders", .away_for = 30s, .error = "refused"});
  EXPECT_EQ(only().code, TroubleCode::kBrokerAway);
  EXPECT_EQ(only().since, kNow - 30s);
  EXPECT_EQ(trouble_of_queue(find_troubles(facts_), core::topic_queue("orders"), kTenant)->code,
            TroubleCode::kBrokerAway);
  facts_.node.brokers.front().away_for.reset();
  EXPECT_EQ(only().code, TroubleCode::kNoWorker);
}

TEST_F(TroublesTest, EndpointsThatDoNotAnswer) {
  facts_.node.endpoints.push_back({"api.example:443", kTenant, 2min});
  EXPECT_EQ(only().code, TroubleCode::kEndpointAway);
  EXPECT_EQ(only().tenant, kTenant);
}

TEST_F(TroublesTest, TheDatabaseIsAway) {
  facts_.node.unheard_for = 8s;
  facts_.node.refusal = Error{.code = Errc::kUnavailable, .message = "connection refused"};
  const Trouble trouble = only();
  EXPECT_EQ(trouble.code, TroubleCode::kDatabaseAway);
  EXPECT_EQ(trouble.severity, Severity::kCritical);
  EXPECT_EQ(trouble.since, kNow - 8s);
  EXPECT_NE(trouble.sentence.find("connection refused"), std::string::npos);
  facts_.node.refusal.reset();  // it hangs instead
  EXPECT_EQ(codes(), Codes{"database_away"});
  facts_.node.first_undecided = kNow - 1min;
  EXPECT_EQ(codes(), (Codes{"database_away", "behind"}));
}

TEST_F(TroublesTest, ARefusalThatPassesIsNone) {
  facts_.node.refusal = Error{.code = Errc::kUnavailable, .message = "deadlock"};
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(TroublesTest, TheDiskIsFull) {
  facts_.node.refusal = Error{.code = Errc::kUnavailable,
                              .message = "database or disk is full",
                              .field = std::string(store::kFullDisk)};
  EXPECT_EQ(only().code, TroubleCode::kDiskFull);
}

TEST_F(TroublesTest, TheDatabaseIsSlow) {
  facts_.node.answer_time = 2s;
  EXPECT_EQ(codes(), Codes{"database_slow"});
}

TEST_F(TroublesTest, ANodeThatLoads) {
  facts_.node.waits_for = "the jobs of 3 of 4 partitions";
  EXPECT_EQ(only().code, TroubleCode::kLoading);
  EXPECT_TRUE(is_unready(only().code));
}

TEST_F(TroublesTest, TicksThatNobodyDecides) {
  facts_.node.first_undecided = kNow - 11s;
  EXPECT_EQ(only().code, TroubleCode::kBehind);
  EXPECT_EQ(only().since, kNow - 11s);
  facts_.node.first_undecided.reset();
  facts_.cluster->ticks.owned = {kNow - 1min, PartitionNo(3)};
  EXPECT_EQ(only().since, kNow - 1min);
  EXPECT_EQ(oldest_undecided(facts_, false), std::nullopt);  // its owner's metric tells
  facts_.cluster->ticks.orphaned = {kNow - 2min, PartitionNo(4)};
  EXPECT_EQ(only().since, kNow - 2min);
  EXPECT_NE(only().sentence.find("nobody owns"), std::string::npos);
  EXPECT_EQ(oldest_undecided(facts_, false), kNow - 2min);
}

TEST_F(TroublesTest, ANodeIsLost) {
  auto& overview = facts_.cluster->overview;
  overview.nodes.push_back({.incarnation = kOther, .name = "n2", .lease_until = kNow - 30s});
  EXPECT_EQ(only().code, TroubleCode::kNodeLost);
  EXPECT_EQ(only().subject, "n2");
  overview.partitions[9].owner = kOther;
  EXPECT_EQ(codes(), (Codes{"unowned", "node_lost"}));
  overview.partitions[9].owner = kMe;
  overview.nodes.push_back(
      {.incarnation = Incarnation({3, 3}), .name = "n2", .lease_until = kNow + 3s});
  EXPECT_EQ(codes(), Codes{});  // it is back
  overview.nodes.pop_back();
  overview.nodes.back().lease_until = kNow - 1h;
  EXPECT_EQ(codes(), Codes{});  // that is history
}

TEST_F(TroublesTest, ClocksThatDiffer) {
  facts_.node.clock_offset = -3s;
  EXPECT_EQ(codes(), Codes{"clock_offset"});
  EXPECT_NE(only().sentence.find("3s behind"), std::string::npos) << only().sentence;
  facts_.node.clock_offset = 1s;
  facts_.node.clock_stepped = true;
  EXPECT_EQ(codes(), Codes{"clock_stepped"});
}

TEST_F(TroublesTest, CatchingUpIsOnlyANote) {
  store::QueueLoad load{.queue = "mail", .tenant = kTenant, .in_line = 9};
  load.line_until = kNow + 5min;
  facts_.cluster->queues.push_back(load);
  EXPECT_EQ(only().code, TroubleCode::kCatchingUp);
  EXPECT_EQ(only().severity, Severity::kNote);
}

TEST_F(TroublesTest, ANodeNamedLikeAQueueIsNotTheQueue) {
  facts_.cluster->overview.nodes.push_back(
      {.incarnation = kOther, .name = "mail", .lease_until = kNow - 30s});
  EXPECT_EQ(codes(), Codes{"node_lost"});
  EXPECT_FALSE(trouble_of_queue(find_troubles(facts_), "mail", kTenant));
}

TEST_F(TroublesTest, EveryCodeHasAWord) {
  EXPECT_EQ(name_of(TroubleCode::kCatchingUp), kTroubleWords.back());
  EXPECT_EQ(name_of(TroubleCode::kDatabaseAway), kTroubleWords.front());
}

}  // namespace
}  // namespace belfry::service
