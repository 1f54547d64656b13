#include "tests/store/suite.h"

#include <algorithm>
#include <set>

namespace belfry::store {
namespace {

using namespace std::chrono_literals;

class OwnershipTest : public StoreTest {};

TEST_P(OwnershipTest, BeginsWithADefaultRegionAndTenant) {
  for (const PartitionNo partition : {PartitionNo(0), PartitionNo(255)}) {
    const PartitionJobs loaded = must(store().load_partition(partition));
    EXPECT_EQ(loaded.decided_through, kStart);
    EXPECT_TRUE(loaded.jobs.empty());
  }
  EXPECT_EQ(must(store().put_region("default")), RegionNo(0));
  EXPECT_EQ(must(store().put_tenant({.name = "default"})), TenantId(1));
}

TEST_P(OwnershipTest, TheClockIsTheStores) {
  pass(1234567us);
  EXPECT_EQ(must(store().clock()), kStart + 1234567us);
}

TEST_P(OwnershipTest, RenewTellsHowThingsStand) {
  must(store().renew(node(1), 5s));
  must(store().acquire(node(1), 10));
  pass(1s);
  const auto told = must(store().renew(node(2), 5s));
  EXPECT_EQ(told.now, now());
  ASSERT_EQ(told.nodes.size(), 2U);
  EXPECT_EQ(told.nodes[0].name, "node-1");
  EXPECT_EQ(told.nodes[0].incarnation, node(1).incarnation);
  EXPECT_EQ(told.nodes[0].partitions, 10U);
  EXPECT_EQ(told.nodes[1].partitions, 0U);
  EXPECT_TRUE(told.mine.empty());
  EXPECT_EQ(told.orphans, 246U);
}

TEST_P(OwnershipTest, RenewTellsTheLeaseThatItFound) {
  EXPECT_FALSE(must(store().renew(node(1), 5s)).lease_before);
  pass(1s);
  EXPECT_FALSE(must(store().renew(node(2), 5s)).lease_before);
  const auto told = must(store().renew(node(1), 5s));
  EXPECT_EQ(told.lease_before, kStart + 5s);
  EXPECT_EQ(told.era, Era(0));
}

TEST_P(OwnershipTest, AcquireTakesTheLowestOrphansUnderNewEpochs) {
  must(store().renew(node(1), 5s));
  must(store().renew(node(2), 5s));
  const auto first = must(store().acquire(node(1), 3));
  const auto second = must(store().acquire(node(2), 2));
  ASSERT_EQ(first.size(), 3U);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(first[0].partition, PartitionNo(0));
  EXPECT_EQ(first[2].partition, PartitionNo(2));
  EXPECT_EQ(second[0].partition, PartitionNo(3));
  EXPECT_EQ(second[1].epoch, Epoch(1));
  EXPECT_EQ(second[1].decided_through, kStart);
  EXPECT_EQ(second[1].version, JobsVersion(0));
}

TEST_P(OwnershipTest, AfterALostReplyRenewTellsWhatWasAcquired) {
  must(store().renew(node(1), 5s));
  const auto taken = must(store().acquire(node(1), 7));
  const auto mine = must(store().renew(node(1), 5s)).mine;
  ASSERT_EQ(mine.size(), 7U);
  EXPECT_EQ(mine[6].partition, taken[6].partition);
  EXPECT_EQ(mine[6].epoch, taken[6].epoch);
  EXPECT_EQ(must(store().acquire(node(1), 1)).at(0).partition, PartitionNo(7));
}

TEST_P(OwnershipTest, WithoutALeaseNothingIsAcquired) {
  EXPECT_TRUE(must(store().acquire(node(1), 256)).empty());
  must(store().renew(node(1), 5s));
  pass(5s);
  EXPECT_TRUE(must(store().acquire(node(1), 256)).empty());
}

TEST_P(OwnershipTest, PartitionsOfADeadNodeAreOrphansFromTheEndOfItsLease) {
  must(store().renew(node(1), 5s));
  must(store().acquire(node(1), 256));
  pass(4999999us);
  EXPECT_EQ(must(store().renew(node(2), 5s)).orphans, 0U);
  EXPECT_TRUE(must(store().acquire(node(2), 256)).empty());
  pass(1us);
  const auto told = must(store().renew(node(2), 5s));
  EXPECT_EQ(told.orphans, 256U);
  EXPECT_EQ(told.nodes.size(), 1U);
  const auto taken = must(store().acquire(node(2), 256));
  ASSERT_EQ(taken.size(), 256U);
  EXPECT_TRUE(std::ranges::all_of(taken, [](const auto& p) { return p.epoch == Epoch(2); }));
  EXPECT_TRUE(must(store().renew(node(1), 5s)).mine.empty());
}

TEST_P(OwnershipTest, OnlyWhatADeadNodeLeavesBehindIsAFailover) {
  const auto failovers = [&](std::uint64_t number, std::size_t most) {
    must(store().renew(node(number), 5s));
    return std::ranges::count_if(must(store().acquire(node(number), most)),
                                 [](const auto& taken) { return taken.failover; });
  };
  EXPECT_EQ(failovers(1, 256), 0);  // nobody had them before
  must(store().release(node(1), std::vector{OwnershipStore::Holding{PartitionNo(3), Epoch(1)}}));
  EXPECT_EQ(failovers(2, 256), 0);  // given up
  must(store().retire(node(1)));
  EXPECT_EQ(failovers(3, 100), 0);  // handed over
  must(store().leave(node(3)));
  EXPECT_EQ(failovers(2, 256), 0);
  pass(5s);
  EXPECT_EQ(failovers(4, 7), 7);  // node 2 is gone
  EXPECT_EQ(failovers(4, 256), 249);
}

TEST_P(OwnershipTest, HoldersTellWhoHasWhatAndWhoIsGone) {
  must(store().renew(node(1), 5s));
  must(store().acquire(node(1), 10));
  pass(6s);
  must(store().renew(node(2), 5s));
  must(store().put_region("far"));
  must(store().renew(node(3, RegionNo(1)), 5s));
  const auto told = must(store().holders(RegionNo(0)));
  EXPECT_EQ(told.now, now());
  ASSERT_EQ(told.nodes.size(), 2U);
  EXPECT_EQ(told.nodes[0].incarnation, node(1).incarnation);
  EXPECT_EQ(told.nodes[0].lease_until, now() - 1s);
  EXPECT_EQ(told.nodes[1].lease_until, now() + 5s);
  ASSERT_EQ(told.holders.size(), 256U);
  EXPECT_EQ(told.holders[9].owner, node(1).incarnation);
  EXPECT_EQ(told.holders[9].epoch, Epoch(1));
  EXPECT_EQ(told.holders[10].owner, Incarnation());
  EXPECT_EQ(told.holders[255].partition, PartitionNo(255));
}

// Also from a node that is alive: it finds another epoch, and writes nothing any more.
TEST_P(OwnershipTest, WhoeverTakesAPartitionDeposesItsOwner) {
  own_everything();
  const JobRow job = add_job("a");
  const PartitionNo partition = partition_of(job.id);
  pass(61s);
  PartitionDecision late = decision(job.id, now());
  must(store().renew(node(2), 5s));
  const std::vector wanted{OwnershipStore::Holding{partition, late.epoch}};
  const auto taken = must(store().take(node(2), wanted));
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].partition, partition);
  EXPECT_GT(taken[0].epoch, late.epoch);
  EXPECT_EQ(taken[0].decided_through, late.from);
  EXPECT_EQ(taken[0].version, late.version);
  EXPECT_FALSE(taken[0].failover);
  EXPECT_EQ(decide(late).partitions.at(0).outcome, DecideOutcome::kDeposed);
  late.epoch = taken[0].epoch;
  EXPECT_EQ(decide(late, 2).partitions.at(0).outcome, DecideOutcome::kDecided);
}

TEST_P(OwnershipTest, APartitionIsTakenUnderTheEpochThatWasSeen) {
  must(store().renew(node(1), 5s));
  must(store().acquire(node(1), 4));
  must(store().renew(node(2), 5s));
  must(store().renew(node(3), 5s));
  const std::vector<OwnershipStore::Holding> wanted{
      {PartitionNo(3), Epoch(1)}, {PartitionNo(1), Epoch(1)}, {PartitionNo(200), Epoch(0)}};
  const auto taken = must(store().take(node(2), wanted));
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken[0].partition, PartitionNo(1));
  EXPECT_EQ(taken[2].epoch, Epoch(1));
  EXPECT_TRUE(must(store().take(node(3), wanted)).empty());  // too late
  EXPECT_EQ(must(store().renew(node(1), 5s)).mine.size(), 2U);
  EXPECT_EQ(must(store().renew(node(2), 5s)).mine.size(), 3U);
  pass(5s);
  const std::vector<OwnershipStore::Holding> again{{PartitionNo(1), Epoch(2)}};
  EXPECT_TRUE(must(store().take(node(3), again)).empty());  // no lease
  must(store().renew(node(3), 5s));
  EXPECT_TRUE(must(store().take(node(3), again)).at(0).failover);
}

TEST_P(OwnershipTest, SeveralNodesShareAllPartitions) {
  std::set<PartitionNo> all;
  for (const std::uint64_t number : {1U, 2U, 3U}) must(store().renew(node(number), 5s));
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    for (const auto& taken : must(store().acquire(node(number), 86))) {
      EXPECT_TRUE(all.insert(taken.partition).second);
    }
  }
  EXPECT_EQ(all.size(), 256U);
  const auto told = must(store().renew(node(3), 5s));
  EXPECT_EQ(told.orphans, 0U);
  ASSERT_EQ(told.nodes.size(), 3U);
  EXPECT_EQ(told.nodes[2].partitions, 84U);
}

TEST_P(OwnershipTest, ReleaseNeedsOwnerAndEpoch) {
  must(store().renew(node(1), 5s));
  must(store().renew(node(2), 5s));
  const auto taken = must(store().acquire(node(1), 2)).at(0);
  const OwnershipStore::Holding right{taken.partition, taken.epoch};
  const OwnershipStore::Holding wrong{taken.partition, Epoch(taken.epoch.value() + 1)};
  must(store().release(node(1), {&wrong, 1}));
  must(store().release(node(2), {&right, 1}));
  EXPECT_EQ(must(store().renew(node(1), 5s)).mine.size(), 2U);
  must(store().release(node(1), {&right, 1}));
  must(store().release(node(1), {&right, 1}));
  EXPECT_EQ(must(store().renew(node(1), 5s)).mine.size(), 1U);
  const auto again = must(store().acquire(node(2), 1)).at(0);
  EXPECT_EQ(again.partition, taken.partition);
  EXPECT_EQ(again.epoch, Epoch(taken.epoch.value() + 1));
  must(store().release(node(1), {&right, 1}));
  EXPECT_EQ(must(store().renew(node(2), 5s)).mine.size(), 1U);
}

TEST_P(OwnershipTest, LeavingGivesEverythingUpAtOnce) {
  must(store().renew(node(1), 5s));
  must(store().acquire(node(1), 256));
  must(store().leave(node(1)));
  must(store().leave(node(1)));
  const auto told = must(store().renew(node(2), 5s));
  EXPECT_EQ(told.orphans, 256U);
  EXPECT_EQ(told.nodes.size(), 1U);
}

TEST_P(OwnershipTest, RegionsAreApart) {
  const RegionNo europe = must(store().put_region("europe"));
  EXPECT_EQ(europe, RegionNo(1));
  EXPECT_EQ(must(store().put_region("europe")), europe);
  must(store().renew(node(1), 5s));
  const auto told = must(store().renew(node(2, europe), 5s));
  EXPECT_EQ(told.nodes.size(), 1U);
  EXPECT_EQ(told.orphans, 256U);
  const auto taken = must(store().acquire(node(2, europe), 1'000));
  ASSERT_EQ(taken.size(), 256U);
  EXPECT_EQ(taken.front().partition, PartitionNo(256));
  EXPECT_EQ(taken.back().partition, PartitionNo(511));
  EXPECT_EQ(must(store().renew(node(1), 5s)).orphans, 256U);
}

TEST_P(OwnershipTest, ALeaderKeepsItsTermWhileItsLeaseHolds) {
  const std::uint64_t term = must(store().lead(node(1), 5s));
  EXPECT_EQ(code_of(store().lead(node(2), 5s)), Errc::kConflict);
  pass(4s);
  EXPECT_EQ(must(store().lead(node(1), 5s)), term);
  pass(4s);
  EXPECT_EQ(code_of(store().lead(node(2), 5s)), Errc::kConflict);
  pass(1s);
  const std::uint64_t next = must(store().lead(node(2), 5s));
  EXPECT_GT(next, term);
  EXPECT_EQ(code_of(store().lead(node(1), 5s)), Errc::kConflict);
}

TEST_P(OwnershipTest, WhoLeavesLeadsNoMore) {
  must(store().renew(node(1), 5s));
  const std::uint64_t term = must(store().lead(node(1), 30s));
  must(store().leave(node(2)));  // not its lease
  EXPECT_EQ(code_of(store().lead(node(2), 30s)), Errc::kConflict);
  must(store().leave(node(1)));
  EXPECT_GT(must(store().lead(node(2), 30s)), term);
  must(store().leave(node(1)));  // no longer its lease
  EXPECT_EQ(code_of(store().lead(node(1), 30s)), Errc::kConflict);
}

TEST_P(OwnershipTest, ALeaderThatComesBackTooLateHasANewTerm) {
  const std::uint64_t term = must(store().lead(node(1), 5s));
  pass(5s);
  EXPECT_GT(must(store().lead(node(1), 5s)), term);
}

TEST_P(OwnershipTest, ARetiredNodeMayDecideUntilSomebodyTakesOver) {
  own_everything();
  const JobRow job = add_job("a");
  PartitionDecision mine = decision(job.id, now() + 1s);
  must(store().retire(node(1)));
  pass(1s);
  EXPECT_EQ(decide(mine).partitions.at(0).outcome, DecideOutcome::kDecided);
  const auto membership = must(store().renew(node(2), 10s));
  EXPECT_EQ(membership.nodes.size(), 1U);
  EXPECT_EQ(membership.orphans, 256U);
  EXPECT_EQ(must(store().acquire(node(2), 256)).size(), 256U);
  mine.from = mine.to;
  pass(1s);
  mine.to = now();
  EXPECT_EQ(decide(mine).partitions.at(0).outcome, DecideOutcome::kDeposed);
}

BELFRY_FOR_EACH_STORE(OwnershipTest);

}  // namespace
}  // namespace belfry::store
