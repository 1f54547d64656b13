#include "core/book/run_book.h"

#include <gtest/gtest.h>

#include <map>

namespace belfry::core {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNow = from_unix_seconds(1'800'000'000);
constexpr PartitionNo kPartition(7);

JobId job(std::uint64_t number) {
  return JobId(number << 16 | kPartition.value());
}

class RunBookTest : public testing::Test {
 protected:
  RunBookTest() { book.open(kPartition); }

  static LiveRun run(std::uint64_t number, std::uint64_t tenant = 1, std::string queue = "q") {
    return {.run = {job(number), RunKey(1)},
            .tenant = TenantId(tenant),
            .queue = std::move(queue),
            .due = kNow - 1min};
  }
  std::vector<std::uint64_t> pick(std::size_t most, const std::vector<std::string>& queues = {"q"},
                                  std::optional<TenantId> tenant = {}, Instant now = kNow) {
    std::vector<std::uint64_t> numbers;
    for (const auto& picked : book.pick({.queues = queues, .tenant = tenant, .most = most}, now)) {
      numbers.push_back(picked.run.job.value() >> 16);
    }
    return numbers;
  }
  std::map<std::uint64_t, int> tenants_of(const std::vector<std::uint64_t>& runs) {
    std::map<std::uint64_t, int> counts;
    for (const std::uint64_t number : runs) ++counts[number / 1'000'000];
    return counts;
  }
  // Runs whose numbers tell their tenant.
  void flood(std::uint64_t tenant, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) book.put(run(tenant * 1'000'000 + i, tenant));
  }

  using Numbers = std::vector<std::uint64_t>;
  RunBook book;
};

TEST_F(RunBookTest, OffersEachRunOnce) {
  book.put(run(1));
  book.put(run(2));
  EXPECT_EQ(pick(9), (Numbers{1, 2}));
  EXPECT_EQ(pick(9), Numbers());
}

TEST_F(RunBookTest, OffersWhatMayRunWhereTheWorkerIs) {
  LiveRun here = run(1);
  here.region = RegionNo(1);
  LiveRun there = run(2);
  there.region = RegionNo(2);
  const LiveRun anywhere = run(3);
  for (const LiveRun& each : {here, there, anywhere}) book.put(each);
  const std::vector<std::string> queues{"q"};
  const auto picked = book.pick({.queues = queues, .region = RegionNo(1), .most = 9}, kNow);
  ASSERT_EQ(picked.size(), 2U);
  EXPECT_EQ(picked[0].run, here.run);
  EXPECT_EQ(picked[1].run, anywhere.run);
  EXPECT_FALSE(book.offers({.queues = queues, .region = RegionNo(1)}, kNow));
  EXPECT_FALSE(book.offers({.queues = queues, .region = RegionNo(3)}, kNow));
  EXPECT_TRUE(book.offers({.queues = queues, .region = RegionNo(2)}, kNow));
}

TEST_F(RunBookTest, OrderIsTheSameWhereverRunsMayGo) {
  LiveRun here = run(1);
  here.region = RegionNo(0);
  LiveRun anywhere = run(2);
  anywhere.due = here.due - 1s;
  LiveRun urgent = run(3);
  urgent.region = RegionNo(0);
  urgent.priority = 1;
  for (const LiveRun& each : {here, anywhere, urgent}) book.put(each);
  EXPECT_EQ(pick(9), (Numbers{3, 2, 1}));
}

TEST_F(RunBookTest, RunsOfAPartitionGoTogether) {
  constexpr std::uint16_t kOther = kPartition.value() + 1;
  book.open(PartitionNo(kOther));
  std::vector<LiveRun> herd;
  for (const std::uint64_t number : {1U, 2U, 3U, 4U}) {
    herd.push_back(run(number));
    if (number % 2 == 1) herd.back().run.job = JobId(number << 16 | kOther);
  }
  herd[0].due = herd[0].due - 1s;  // the oldest goes first, wherever it is
  for (const LiveRun& each : herd) book.put(each);
  EXPECT_EQ(pick(9), (Numbers{1, 2, 4, 3}));
}

TEST_F(RunBookTest, KnowsWhatNobodyStarts) {
  EXPECT_TRUE(book.unstarted(kNow, 9).empty());
  LiveRun soon = run(1);
  soon.start_by = kNow + 1min;
  LiveRun taken = run(2);
  taken.start_by = kNow + 1min;
  LiveRun late = run(3);
  late.start_by = kNow + 1h;
  for (const LiveRun& each : {soon, taken, late}) book.put(each);
  EXPECT_EQ(pick(1), Numbers{1});
  book.put_back(soon.run);
  book.hold(taken.run, {.fence = Fence(1), .until = kNow + 1h});
  EXPECT_TRUE(book.unstarted(kNow + 1min - Duration(1), 9).empty());
  EXPECT_EQ(book.unstarted(kNow + 1min, 9), std::vector{soon.run});
  book.remove(soon.run);
  EXPECT_TRUE(book.unstarted(kNow + 1min, 9).empty());
  book.put(late);  // as the next reading does, when its time is near
  EXPECT_TRUE(book.unstarted(kNow + 58min, 9).empty());
  book.put(late);
  EXPECT_EQ(book.unstarted(kNow + 1h, 9), std::vector{late.run});
}

TEST_F(RunBookTest, KnowsWhatOtherNodesHold) {
  const Incarnation us({1, 1});
  const Incarnation them({1, 2});
  const Incarnation gone({1, 3});
  std::uint64_t number = 0;
  for (const Incarnation& node : {us, them, gone, Incarnation()}) {
    LiveRun held = run(++number);
    held.held = {.fence = Fence(number), .until = kNow + 1h, .holder = node};
    book.put(held);
  }
  EXPECT_EQ(book.held_by_others({us, them}, 9), std::vector{run(3).run});
  EXPECT_EQ(book.held_by_others({us}, 9).size(), 2U);
  EXPECT_EQ(book.held_by_others({}, 1).size(), 1U);
  book.remove(run(3).run);
  EXPECT_TRUE(book.held_by_others({us, them}, 9).empty());
}

TEST_F(RunBookTest, TheOldestComeFirstAndPriorityBeforeAge) {
  LiveRun old = run(1);
  old.due = kNow - 1h;
  LiveRun young = run(2);
  LiveRun urgent = run(3);
  urgent.priority = 5;
  for (const LiveRun& live : {young, old, urgent}) book.put(live);
  EXPECT_EQ(pick(9), (Numbers{3, 1, 2}));
}

TEST_F(RunBookTest, OrderHoldsOverSeveralQueuesOfATenant) {
  LiveRun old = run(1, 1, "b");
  old.due = kNow - 1h;
  book.put(run(2, 1, "a"));
  book.put(old);
  EXPECT_EQ(pick(9, {"a", "b"}), (Numbers{1, 2}));
}

TEST_F(RunBookTest, OnlyTheQueuesAskedFor) {
  book.put(run(1, 1, "a"));
  book.put(run(2, 1, "b"));
  EXPECT_EQ(pick(9, {"b", "c"}), Numbers{2});
}

TEST_F(RunBookTest, OnlyTheTenantAskedFor) {
  book.put(run(1, 1));
  book.put(run(2, 2));
  EXPECT_EQ(pick(9, {"q"}, TenantId(2)), Numbers{2});
  EXPECT_EQ(pick(9, {"q"}, TenantId(2)), Numbers());
}

TEST_F(RunBookTest, AFloodDelaysItsOwnerOnly) {
  flood(1, 5'000);
  flood(2, 5);
  const auto counts = tenants_of(pick(20));
  EXPECT_EQ(counts.at(2), 5);
  EXPECT_EQ(counts.at(1), 15);
}

TEST_F(RunBookTest, TurnsFollowTheWeights) {
  book.set_weight(TenantId(2), 3);
  flood(1, 100);
  flood(2, 100);
  const auto counts = tenants_of(pick(40));
  EXPECT_EQ(counts.at(1), 10);
  EXPECT_EQ(counts.at(2), 30);
}

TEST_F(RunBookTest, NobodyStarvesWhenTenantsAreMoreThanRuns) {
  for (std::uint64_t tenant = 1; tenant <= 40; ++tenant) flood(tenant, 2);
  std::map<std::uint64_t, int> total;
  for (int i = 0; i < 8; ++i) {
    for (const auto& [tenant, count] : tenants_of(pick(5))) total[tenant] += count;
  }
  EXPECT_EQ(total.size(), 40U);
}

TEST_F(RunBookTest, WhoComesBackHasSavedUpNoTurns) {
  flood(1, 1'000);
  pick(500);
  flood(2, 1'000);
  const auto counts = tenants_of(pick(100));
  EXPECT_EQ(counts.at(1), 50);
  EXPECT_EQ(counts.at(2), 50);
}

TEST_F(RunBookTest, TurnsAreOfTheTenantNotOfTheQueue) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    book.put(run(1'000'000 + i, 1, "a"));
    book.put(run(1'001'000 + i, 1, "b"));
    book.put(run(2'000'000 + i, 2, "a"));
  }
  const auto counts = tenants_of(pick(40, {"a", "b"}));
  EXPECT_EQ(counts.at(1), 20);
  EXPECT_EQ(counts.at(2), 20);
}

TEST_F(RunBookTest, ATenantPutAsideWaitsUntilItIsBroughtBack) {
  flood(1, 3);
  flood(2, 1);
  book.put_aside(TenantId(1));
  EXPECT_EQ(pick(9), Numbers{2'000'000});
  EXPECT_EQ(pick(9, {"q"}, TenantId(1)), Numbers());
  book.bring_back(TenantId(1));
  EXPECT_EQ(pick(9).size(), 3U);
}

TEST_F(RunBookTest, NobodyStartsBeforeItsTime) {
  LiveRun later = run(1);
  later.due = kNow + 10s;
  book.put(later);
  EXPECT_EQ(book.next_due(), kNow + 10s);
  EXPECT_EQ(pick(9), Numbers());
  EXPECT_EQ(pick(9, {"q"}, {}, kNow + 10s), Numbers{1});
  EXPECT_EQ(book.next_due(), std::nullopt);
}

class ExclusiveTest : public RunBookTest {
 protected:
  LiveRun exclusive(std::int64_t key) {
    LiveRun live = run(1);
    live.run.key = RunKey(key);
    live.due = kNow - 1h + std::chrono::seconds(key);
    live.exclusive = true;
    return live;
  }
  std::vector<std::int64_t> pick_keys() {
    const std::vector<std::string> queues{"q"};
    std::vector<std::int64_t> keys;
    for (const auto& picked : book.pick({.queues = queues, .most = 9}, kNow)) {
      keys.push_back(picked.run.key.value());
    }
    return keys;
  }
  using Keys = std::vector<std::int64_t>;
};

TEST_F(ExclusiveTest, OneAtATimeOldestFirst) {
  for (const std::int64_t key : {3, 1, 2}) book.put(exclusive(key));
  EXPECT_EQ(pick_keys(), Keys{1});
  EXPECT_EQ(pick_keys(), Keys());
  book.hold({job(1), RunKey(1)}, {.fence = Fence(4), .until = kNow + 30s});
  EXPECT_EQ(pick_keys(), Keys());
  book.remove({job(1), RunKey(1)});
  EXPECT_EQ(pick_keys(), Keys{2});
}

TEST_F(ExclusiveTest, ARetryLetsTheNextOneGo) {
  book.put(exclusive(1));
  book.put(exclusive(2));
  EXPECT_EQ(pick_keys(), Keys{1});
  book.hold({job(1), RunKey(1)}, {.fence = Fence(4), .until = kNow + 30s});
  LiveRun retry = exclusive(1);
  retry.due = kNow + 1min;
  book.put(retry);
  EXPECT_EQ(pick_keys(), Keys{2});
}

TEST_F(ExclusiveTest, WhoIsPutBackIsFirstAgain) {
  book.put(exclusive(1));
  book.put(exclusive(2));
  EXPECT_EQ(pick_keys(), Keys{1});
  book.put_back({job(1), RunKey(1)});
  EXPECT_EQ(pick_keys(), Keys{1});
}

// The store would grant both at one stroke, each as if the other were not there.
TEST_F(ExclusiveTest, NotTogetherWithOtherRunsOfItsJob) {
  LiveRun other = exclusive(5);
  other.exclusive = false;
  book.put(exclusive(1));
  book.put(other);
  EXPECT_EQ(pick_keys(), Keys{5});
  EXPECT_EQ(pick_keys(), Keys{1});  // whether it may run beside that one, the store says
}

TEST_F(ExclusiveTest, ARunThatIsReadAsHeldKeepsTheOthersWaiting) {
  LiveRun held = exclusive(1);
  held.held = {.fence = Fence(4), .until = kNow + 30s};
  book.put(exclusive(2));
  book.put(held);
  EXPECT_EQ(pick_keys(), Keys());
  book.remove(held.run);
  EXPECT_EQ(pick_keys(), Keys{2});
}

TEST_F(RunBookTest, KnowsWhoseTimeIsOver) {
  for (std::uint64_t i = 1; i <= 3; ++i) {
    LiveRun held = run(i);
    held.held = {.fence = Fence(i), .until = kNow + std::chrono::seconds(i)};
    book.put(held);
  }
  EXPECT_EQ(pick(9), Numbers());
  EXPECT_TRUE(book.overdue(kNow, 9).empty());
  EXPECT_EQ(book.overdue(kNow + 2s, 9).size(), 2U);
  EXPECT_EQ(book.overdue(kNow + 9s, 1), std::vector{run(1).run});
  book.hold(run(1).run, {.fence = Fence(1), .until = kNow + 1h});  // it was prolonged
  EXPECT_EQ(book.overdue(kNow + 9s, 1), std::vector{run(2).run});
}

TEST_F(RunBookTest, ARunThatIsBeingGrantedIsNotOfferedAgainByOldNews) {
  book.put(run(1));
  EXPECT_EQ(pick(1), Numbers{1});
  book.put(run(1));
  EXPECT_EQ(pick(1), Numbers());
  book.remove(run(1).run);
  book.put(run(1));
  EXPECT_EQ(pick(1), Numbers{1});
}

TEST_F(RunBookTest, AReadingCorrectsTheBook) {
  book.put(run(1));
  book.put(run(2));
  LiveRun held = run(2);
  held.held = {.fence = Fence(9), .until = kNow + 30s};
  book.compare(kPartition, std::vector{held, run(3)}, book.mark());
  EXPECT_EQ(book.size(), 2U);
  EXPECT_EQ(pick(9), Numbers{3});
  EXPECT_NE(book.holder_of(run(2).run), nullptr);
}

TEST_F(RunBookTest, WhatIsNewerThanAReadingStays) {
  book.put(run(1));
  const RunBook::Mark before = book.mark();
  book.put(run(2));  // decided while the reading was under way
  EXPECT_EQ(pick(1), Numbers{1});
  book.compare(kPartition, std::vector{run(1)}, before);
  EXPECT_EQ(pick(9), Numbers{2});
}

TEST_F(RunBookTest, KnowsOnlyWhatIsOpen) {
  book.put(run(1));
  book.close(kPartition);
  EXPECT_EQ(book.size(), 0U);
  book.put(run(1));
  EXPECT_EQ(pick(9), Numbers());
  book.open(kPartition);
  book.put(run(1));
  EXPECT_EQ(pick(9), Numbers{1});
}

}  // namespace
}  // namespace belfry::core
