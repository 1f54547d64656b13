#include "core/queue.h"
#include "service/health/health_facts.h"
#include "store/common/full_disk.h"

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

  static GivenUpRuns given_up(const std::string& queue, std::int64_t runs) {
    return {
        .queue = queue, .tenant = kTenant, .runs = runs, .first = kNow - 1min, .last = kNow - 5s};
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

TEST_F(TroublesTest, WhatWaitsForTheLimitOfItsTypeWaitsForNoWorker) {
  wait_in("mail", 1min, 5);
  store::TypeLoad load{.type = {.tenant = kTenant, .name = "mail", .limits = {.max_concurrent = 5}},
                       .held = 5,
                       .queue = "mail",
                       .waiting = 2,
                       .waiting_since = kNow - 1min};
  facts_.cluster->types = {load};
  const Trouble trouble = only();
  EXPECT_EQ(name_of(trouble.code), "type_limit");
  EXPECT_EQ(trouble.severity, Severity::kNote);
  EXPECT_EQ(trouble.sentence, "2 runs wait because type `mail` has at most 5 at a time");
  facts_.cluster->types[0].waiting = 1;
  EXPECT_EQ(codes(), (Codes{"workers_busy", "type_limit"})) << "one waits for something else";
  facts_.cluster->types[0].room = 1;
  EXPECT_EQ(codes(), Codes{"workers_busy"}) << "there is room";
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

TEST_F(TroublesTest, NobodyAsksInARegion) {
  wait_in("mail", 1min);
  facts_.cluster->queues[0].region = RegionNo(1);
  facts_.cluster->queues[0].region_name = "eu";
  facts_.node.served.insert({"mail", kTenant, RegionNo(0)});  // they may not have them
  const Trouble trouble = only();
  EXPECT_EQ(trouble.code, TroubleCode::kNoWorker);
  EXPECT_EQ(trouble.region, RegionNo(1));
  EXPECT_NE(trouble.sentence.find("a worker of type `mail` in region `eu`"), std::string::npos);
  EXPECT_EQ(trouble.remedy, "start a worker of type `mail` in region `eu`");
  EXPECT_TRUE(trouble_of_queue({trouble}, "mail", kTenant, RegionNo(1)));
  EXPECT_FALSE(trouble_of_queue({trouble}, "mail", kTenant, RegionNo(0))) << "those are taken";
  facts_.node.served.insert({"mail", kTenant, RegionNo(1)});
  EXPECT_EQ(codes(), Codes{"workers_busy"});
}

TEST_F(TroublesTest, WhatMayRunAnywhereIsServedByAnyRegion) {
  wait_in("mail", 1min);
  facts_.node.served.insert({"mail", kTenant, RegionNo(3)});
  EXPECT_EQ(codes(), Codes{"workers_busy"});
}

// With a short start_within nothing waits for long: it dies.
TEST_F(TroublesTest, WhatWasGivenUpUnstartedIsToldAsWantOfAWorker) {
  facts_.cluster->given_up.push_back(given_up("mail", 3));
  const Trouble trouble = only();
  EXPECT_EQ(trouble.code, TroubleCode::kNoWorker);
  EXPECT_EQ(trouble.subject, "mail");
  EXPECT_EQ(trouble.tenant, kTenant);
  EXPECT_EQ(trouble.since, kNow - 1min);
  EXPECT_NE(trouble.sentence.find("3 runs were given up unstarted"), std::string::npos);
  EXPECT_EQ(trouble.remedy, "start a worker of type `mail`");
  wait_in("mail", 1s);  // the next one
  EXPECT_EQ(only().code, TroubleCode::kNoWorker);
  facts_.node.served.insert({"mail", kTenant});
  EXPECT_EQ(codes(), Codes{}) << "somebody has come";
  facts_.cluster->queues.clear();
  EXPECT_EQ(codes(), Codes{});
}

// Others know their workers; this node sees what they did.
TEST_F(TroublesTest, WhatWasGivenUpWhereOthersWereWorkedOnIsNoWantOfAWorker) {
  facts_.cluster->given_up.push_back(given_up("mail", 1));
  facts_.cluster->given_up[0].was_served = true;
  EXPECT_EQ(codes(), Codes{});
  wait_in("mail", 1s, 4);
  EXPECT_EQ(only().code, TroubleCode::kWorkersBusy);
}

TEST_F(TroublesTest, WhatWasGivenUpInARegionIsToldOfThatRegion) {
  facts_.cluster->given_up.push_back(given_up("mail", 1));
  facts_.cluster->given_up[0].region = RegionNo(1);
  facts_.cluster->given_up[0].region_name = "eu";
  facts_.node.served.insert({"mail", kTenant, RegionNo(0)});  // they may not have them
  wait_in("mail", 1s);
  facts_.cluster->queues[0].region = RegionNo(0);  // others, which these take
  const Trouble trouble = only();
  EXPECT_EQ(trouble.code, TroubleCode::kNoWorker);
  EXPECT_EQ(trouble.region, RegionNo(1));
  EXPECT_EQ(trouble.remedy, "start a worker of type `mail` in region `eu`");
  facts_.node.served.insert({"mail", kTenant, RegionNo(1)});
  EXPECT_EQ(codes(), Codes{});
}

TEST_F(TroublesTest, WhatWasGivenUpBehindBusyWorkersIsToldAsThat) {
  facts_.cluster->given_up.push_back(given_up("mail", 1));
  wait_in("mail", 1s, 4);
  EXPECT_EQ(only().code, TroubleCode::kWorkersBusy);
  facts_.cluster->queues[0].held_since = kNow - 1s;
  EXPECT_EQ(codes(), Codes{}) << "somebody has come since";
  facts_.cluster->queues[0].held_since = kNow - 1h;
  store::TypeLoad full{.type = {.tenant = kTenant, .name = "mail", .limits = {.max_concurrent = 4}},
                       .held = 4,
                       .queue = "mail"};
  facts_.cluster->types = {full};
  EXPECT_EQ(codes(), Codes{}) << "it may have waited for room";
}

TEST_F(TroublesTest, ACheckInThatNeverCameIsNoWantOfAWorker) {
  facts_.cluster->given_up.push_back(given_up(core::checkin_queue(), 1));
  EXPECT_EQ(codes(), Codes{});
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

TEST_F(TroublesTest, LostCommitsAreToldForAnHour) {
  facts_.node.lost_commits = {.after = kNow - 3s, .through = kNow - 1s, .era = store::Era(2)};
  EXPECT_EQ(codes(), Codes{"commits_lost"});
  EXPECT_EQ(only().severity, Severity::kWarning);
  EXPECT_EQ(only().since, kNow - 3s);
  facts_.node.lost_commits->through = kNow - 2h;
  EXPECT_EQ(codes(), Codes{});
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

TEST_F(TroublesTest, ALedgerThatIsWrongIsToldToItsTenant) {
  const core::LedgerFlaw hole{.kind = core::FlawKind::kHole,
                              .first = Tick(kNow - 1h),
                              .last = Tick(kNow - 1h),
                              .evidence = "the ledger has nothing"};
  facts_.cluster->violations = {
      {.tenant = kTenant, .job = JobId(2), .flaw = hole, .name = "later", .found_at = kNow - 1min},
      {.tenant = kTenant, .job = JobId(1), .flaw = hole, .name = "first", .found_at = kNow - 5min}};
  EXPECT_EQ(name_of(only().code), "ledger_violated");
  EXPECT_EQ(only().severity, Severity::kWarning) << "it keeps no tick from being decided";
  EXPECT_EQ(only().tenant, kTenant);
  EXPECT_EQ(only().since, kNow - 5min);
  EXPECT_NE(only().sentence.find("job `first`"), std::string::npos) << only().sentence;
  EXPECT_NE(only().sentence.find("the ledger has nothing; and 1 more"), std::string::npos);
  EXPECT_FALSE(is_unready(only().code));
}

TEST_F(TroublesTest, MessagesThatNobodyTakes) {
  facts_.cluster->undelivered = {
      {.tenant = kTenant, .rule = "http", .messages = 2, .given_up = 1, .since = kNow - 5min}};
  EXPECT_EQ(name_of(only().code), "alerts_undelivered");
  EXPECT_EQ(only().severity, Severity::kWarning);
  EXPECT_EQ(only().subject, "http");
  EXPECT_EQ(only().tenant, kTenant);
  EXPECT_EQ(only().since, kNow - 5min);
  EXPECT_EQ(
      only().sentence,
      "2 messages of the alert rule `http` cannot be delivered; nobody has tried to deliver any");
  EXPECT_FALSE(trouble_of_queue(find_troubles(facts_), "http", kTenant))
      << "a rule is not the queue of its name";
  facts_.cluster->undelivered[0].given_up = 2;
  facts_.cluster->undelivered[0].error = "http: 500";
  EXPECT_NE(only().sentence.find("could not be delivered; the last error: http: 500"),
            std::string::npos);
}

TEST_F(TroublesTest, AnArchiveThatTakesNothing) {
  facts_.node.archive = {.refused_for = 5min, .error = "`/archive` is full"};
  EXPECT_EQ(name_of(only().code), "archive_stuck");
  EXPECT_EQ(only().severity, Severity::kWarning);
  EXPECT_EQ(only().since, kNow - 5min);
  EXPECT_NE(only().sentence.find("drops none: `/archive` is full"), std::string::npos);
  EXPECT_FALSE(is_unready(only().code));
}

TEST_F(TroublesTest, EveryCodeHasAWord) {
  EXPECT_EQ(name_of(TroubleCode::kArchiveStuck), kTroubleWords.back());
  EXPECT_EQ(name_of(TroubleCode::kDatabaseAway), kTroubleWords.front());
}

}  // namespace
}  // namespace belfry::service
